import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { knowledge as calls, type Knowledge } from '../../../contract/knowledge.ts';
import { api } from '../../api.ts';
import { showFieldErrors, useValidForm } from '../../form.ts';
import { t } from '../../messages/t.ts';
import { knowledgeQuery } from '../../queries.ts';
import { announceFailure } from '../../query-client.ts';
import { viewOf } from '../../query-props.ts';
import { useAgentId, useKnowledgeId, useOrgId } from '../../route-params.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';

export function EditKnowledgeScreen() {
  const item = useQuery(knowledgeQuery(useAgentId(), useKnowledgeId()));
  return (
    <>
      <PageHeader title={t('knowledge.edit')} />
      <QueryView {...viewOf(item)}>{(loaded) => <EditForm item={loaded} />}</QueryView>
    </>
  );
}

function EditForm({ item }: { item: Knowledge }) {
  const params = { orgId: useOrgId(), agentId: useAgentId(), knowledgeId: item.id };
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const labels = { description: t('knowledge.name') };
  const form = useValidForm({
    initial: { description: item.description },
    schema: calls.update.input.pick({ description: true }),
    labels,
  });
  const save = useMutation({
    mutationFn: ({ description }: { description: string }) =>
      api.knowledge.update({
        id: params.agentId,
        knowledgeId: item.id,
        organizationId: params.orgId,
        description,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['knowledge', params.agentId] });
      await navigate({ to: '/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId', params });
    },
    onError: (error) => showFieldErrors(form, error) || announceFailure(error),
    meta: { failure: 'updateKnowledge', quiet: true },
  });
  return (
    <Card kind="form">
      <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <TextInput label={labels.description} {...form.getInputProps('description')} />
          <div>
            <Button type="submit" loading={save.isPending}>
              {t('ui.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
