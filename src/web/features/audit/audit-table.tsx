import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import type { AuditEntry } from '../../../contract/audit.ts';
import { t } from '../../messages/t.ts';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { titleOf } from './action-title.ts';
import style from './audit.module.css';
import { Changes } from './changes.tsx';

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  return (
    <DataTable
      label={t('audit.title')}
      columns={[t('audit.action'), t('audit.person'), t('audit.when'), t('audit.address')]}
    >
      {entries.map((entry) => (
        <Fragment key={entry.id}>
          <Row
            entry={entry}
            opened={opened === entry.id}
            onToggle={() => setOpened(opened === entry.id ? null : entry.id)}
          />
          {opened === entry.id && (
            <tr id={`${entry.id}-changes`}>
              <td colSpan={4}>
                <Changes entry={entry} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </DataTable>
  );
}

function Row({ entry, opened, onToggle }: { entry: AuditEntry; opened: boolean; onToggle: () => void }) {
  const { id, action, targetName, actorName, createdAt, address } = entry;
  const Icon = opened ? IconChevronDown : IconChevronRight;
  return (
    <tr>
      <Cell kind="main">
        <button
          type="button"
          className={style['opener']}
          aria-expanded={opened}
          aria-controls={opened ? `${id}-changes` : undefined}
          onClick={onToggle}
        >
          <Icon size="1.15em" aria-hidden />
          <span>
            {titleOf(action)}
            {targetName && <span className={style['target']}>{targetName}</span>}
          </span>
        </button>
      </Cell>
      <Cell kind="name">{actorName}</Cell>
      <Cell kind="faint">
        <TimeAgo at={createdAt} />
      </Cell>
      <Cell kind="faint">{address}</Cell>
    </tr>
  );
}
