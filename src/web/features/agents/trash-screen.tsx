import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeletedChatbot } from '../../../contract/agent-file.ts';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { viewOf } from '../../queries/query-props.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Person } from '../../ui/person.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const trashQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['agents', organizationId, 'trash'],
    queryFn: async ({ signal }) =>
      (await laterApi.agentKeeping.listDeleted({ organizationId }, { signal })).chatbots,
    meta: { failure: 'getChatbots', quiet: true },
  });

/** Deleted agents that can still be restored. */
export function TrashScreen() {
  return (
    <Permitted permission="agent.write" title={t('keeping.trash')}>
      <Trash />
    </Permitted>
  );
}

function Trash() {
  const deleted = useQuery(trashQuery(useOrgId()));
  return (
    <>
      <PageHeader title={t('keeping.trash')} lead={t('keeping.trashLead')} />
      <QueryView {...viewOf(deleted)}>
        {(agents) =>
          agents.length === 0 ? (
            <Notice
              icon={<IconTrash size="1.25em" aria-hidden />}
              title={t('keeping.trashEmpty')}
              text={t('keeping.trashEmptyText')}
            />
          ) : (
            <DataTable
              label={t('keeping.trash')}
              columns={[t('agents.name'), t('keeping.deletedAt'), t('keeping.purgedAt')]}
              actions={t('keeping.restore')}
            >
              {agents.map((agent) => (
                <Row key={agent.id} agent={agent} />
              ))}
            </DataTable>
          )
        }
      </QueryView>
    </>
  );
}

function Row({ agent: { id, name, profilePhoto, deletedAt, purgedAt } }: { agent: DeletedChatbot }) {
  const organizationId = useOrgId();
  const queryClient = useQueryClient();
  const restore = useMutation({
    mutationFn: () => laterApi.agentKeeping.restore({ id, organizationId }),
    onSuccess: () => toast.success({ title: t('keeping.restored'), message: name }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['agents', organizationId] }),
    meta: { failure: 'updateChatbot' },
  });
  return (
    <tr>
      <Cell kind="main">
        <Person name={name} photo={profilePhoto} title={name} />
      </Cell>
      <Cell kind="faint" label={t('keeping.deletedAt')}>
        <TimeAgo at={deletedAt} />
      </Cell>
      <Cell kind="faint" label={t('keeping.purgedAt')}>
        <TimeAgo at={purgedAt} />
      </Cell>
      <Cell kind="actions">
        <Button
          size="xs"
          variant="default"
          aria-label={t('keeping.restoreNamed', { name })}
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {t('keeping.restore')}
        </Button>
      </Cell>
    </tr>
  );
}
