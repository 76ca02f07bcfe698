import { Stack } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Revision } from '../../../contract/revision.ts';
import { t } from '../../messages/t.ts';
import { listOf, moreOf } from '../../queries/query-props.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ShowMore } from '../../ui/show-more.tsx';
import { RevisionChanges } from './revision-changes.tsx';
import { RevisionRow } from './revision-row.tsx';
import { useRevisions } from './use-revisions.ts';
import type { ItemKey } from './use-sources.ts';

/** What an item contained at which time, and the cause of each change. */
export function History({ item, mayWrite }: { item: ItemKey; mayWrite: boolean }) {
  const list = useRevisions(item);
  return (
    <Stack>
      <QueryView {...listOf(list, (page) => page.revisions)}>
        {(found) => <RevisionsTable item={item} revisions={found} mayWrite={mayWrite} />}
      </QueryView>
      <ShowMore {...moreOf(list)} />
    </Stack>
  );
}

interface RevisionsTableProps {
  item: ItemKey;
  revisions: readonly Revision[];
  mayWrite: boolean;
}

function RevisionsTable({ item, revisions, mayWrite }: RevisionsTableProps) {
  const [opened, setOpened] = useState<number | null>(null);
  return (
    <DataTable
      label={t('knowledge.history')}
      columns={[
        t('knowledge.revision'),
        t('knowledge.stateTitle'),
        t('knowledge.changes'),
        t('knowledge.when'),
      ]}
      actions={t('knowledge.actions')}
    >
      {revisions.map((revision) => {
        const { number } = revision;
        const isOpen = opened === number;
        return (
          <Fragment key={number}>
            <RevisionRow
              item={item}
              revision={revision}
              mayWrite={mayWrite}
              opened={isOpen}
              onToggle={() => setOpened(isOpen ? null : number)}
            />
            {isOpen && (
              <tr id={`revision-${number}`}>
                <td colSpan={5}>
                  <RevisionChanges item={item} number={number} />
                </td>
              </tr>
            )}
          </Fragment>
        );
      })}
    </DataTable>
  );
}
