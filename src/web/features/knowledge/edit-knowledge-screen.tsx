import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { knowledgeQuery } from '../../queries/agent-queries.ts';
import { pageOf } from '../../queries/query-props.ts';
import { useAgentId, useKnowledgeId } from '../../routing/route-params.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { EditFields } from './edit-fields.tsx';
import { titleOf } from './item-title.ts';
import { useEditForm } from './use-edit-form.ts';

export function EditKnowledgeScreen() {
  // Also for people who can only read it: the page is named after it.
  const item = useQuery(knowledgeQuery(useAgentId(), useKnowledgeId()));
  const title = item.data ? t('knowledge.editName', { name: titleOf(item.data) }) : t('knowledge.edit');
  return (
    <Permitted permission="agent.write" title={title}>
      <QueryView {...pageOf(item)} shape="form" titled>
        {(loaded) => (
          <>
            <PageHeader title={title} />
            <Card kind="form">
              <EditForm item={loaded} />
            </Card>
          </>
        )}
      </QueryView>
    </Permitted>
  );
}

function EditForm({ item }: { item: Knowledge }) {
  const { form, labels, save } = useEditForm(item);
  return (
    <form noValidate onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedGuard changed={form.isDirty() && !save.isPending && !save.isSuccess} />
      <Stack>
        <EditFields item={item} form={form} labels={labels} />
        <div>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {t('ui.save')}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
