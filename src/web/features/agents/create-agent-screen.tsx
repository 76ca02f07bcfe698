import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { NewChatbot } from '../../../contract/chatbot.ts';
import { focusFirst } from '../../forms/focus-first.ts';
import { showFieldErrors, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { NoRoom, useIsFull } from '../../parts/no-room.tsx';
import { Permitted } from '../../session/permitted.tsx';
import { announceFailure } from '../../queries/query-client.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { createAgent } from './create-agent.ts';

/** Creates an agent with two fields: its name, and what it should know. */
export function CreateAgentScreen() {
  return (
    <Permitted permission="agent.write" title={t('agents.create')}>
      <CreateAgentForm />
    </Permitted>
  );
}

function CreateAgentForm() {
  const labels = { name: t('agents.name'), topic: t('agents.topic') };
  const form = useValidForm({ initial: { name: '', topic: '' }, schema, labels });
  const orgId = useOrgId();
  const isFull = useIsFull(orgId, 'agents');
  const create = useCreateAgent(orgId, (error) => showFieldErrors(form, error));
  return (
    <>
      <PageHeader title={t('agents.create')} lead={t('agents.createLead')} />
      <UnsavedGuard changed={form.isDirty() && !create.isPending && !create.isSuccess} />
      <Card kind="form">
        <form noValidate onSubmit={form.onSubmit((values) => create.mutate(values))}>
          <Stack>
            {isFull && <NoRoom orgId={orgId} kind="agents" />}
            <TextInput
              ref={focusFirst}
              label={labels.name}
              placeholder={t('agents.nameExample')}
              {...form.getInputProps('name')}
            />
            <Textarea
              label={labels.topic}
              description={t('agents.topicHint')}
              placeholder={t('agents.topicExample')}
              autosize
              minRows={3}
              maxRows={12}
              {...form.getInputProps('topic')}
            />
            <div>
              <Button type="submit" loading={create.isPending} disabled={isFull}>
                {t('agents.create')}
              </Button>
            </div>
          </Stack>
        </form>
      </Card>
    </>
  );
}

const schema = NewChatbot.pick({ name: true }).strip();

/** Creates the agent and opens its knowledge. */
function useCreateAgent(orgId: string, onRefused: (error: unknown) => boolean) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (values: { name: string; topic: string }) =>
      createAgent({ organizationId: orgId, ...values }),
    onSuccess: async (agentId) => {
      await queryClient.invalidateQueries({ queryKey: ['agents', orgId] });
      await navigate({
        to: '/platform/{-$orgId}/agent/$agentId/knowledge',
        params: { orgId, agentId },
      });
    },
    onError: (error) => onRefused(error) || announceFailure(error),
    meta: { failure: 'createChatbot', quiet: true },
  });
}
