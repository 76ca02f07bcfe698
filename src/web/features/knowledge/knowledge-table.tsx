import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { formatCompact } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { FailureLine } from './failure-line.tsx';
import { ItemLink } from './item-link.tsx';
import { ItemMenu } from './item-menu.tsx';
import { ItemProgress } from './item-progress.tsx';
import { titleOf } from './item-title.ts';
import style from './knowledge.module.css';
import { usePlanSchedules } from './plan-schedules.ts';
import { LiveState } from './state-badge.tsx';
import { TypeIcon } from './type-icon.tsx';

interface KnowledgeTableProps {
  items: readonly ListedKnowledge[];
  orgId: string;
  agentId: string;
  mayWrite: boolean;
}

export function KnowledgeTable({ items, ...rest }: KnowledgeTableProps) {
  return (
    <DataTable
      label={t('knowledge.title')}
      columns={[
        t('knowledge.name'),
        t('knowledge.stateTitle'),
        t('knowledge.sources'),
        t('knowledge.size'),
        t('knowledge.read'),
      ]}
      actions={t('knowledge.actions')}
    >
      {items.map((item) => (
        <Row key={item.id} item={item} {...rest} />
      ))}
    </DataTable>
  );
}

function Row({
  item,
  orgId,
  agentId,
  mayWrite,
}: Omit<KnowledgeTableProps, 'items'> & { item: ListedKnowledge }) {
  return (
    <tr>
      <Cell kind="main">
        <span className={style['item']}>
          <TypeIcon type={item.type} />
          <span>
            <ItemLink knowledgeId={item.id} className={style['name']}>
              {titleOf(item)}
            </ItemLink>
            <span className={style['detail']}>{t(`knowledge.type.${item.type}`)}</span>
            <FailureLine item={item} agentId={agentId} mayWrite={mayWrite} />
          </span>
        </span>
      </Cell>
      <Cell>
        <LiveState item={item} />
        {item.heldRevision !== null && (
          <ItemLink knowledgeId={item.id} className={style['held']}>
            <Badge tone="warning">{t('knowledge.held')}</Badge>
          </ItemLink>
        )}
      </Cell>
      <Cell kind="faint" label={t('knowledge.sources')}>
        <ItemProgress item={item} />
      </Cell>
      <Cell kind="faint" label={t('knowledge.size')}>
        {item.characters > 0 && (
          <span className={style['noWrap']}>
            {t('knowledge.characters#', { count: item.characters, number: formatCompact(item.characters) })}
          </span>
        )}
      </Cell>
      <Cell kind="faint" label={t('knowledge.read')}>
        <ReadTimes item={item} />
      </Cell>
      <Cell kind="actions">{mayWrite && <ItemMenu item={item} orgId={orgId} agentId={agentId} />}</Cell>
    </tr>
  );
}

/** When an item was last read, and when it will be read again automatically. */
function ReadTimes({ item: { syncedAt, nextSyncAt } }: { item: ListedKnowledge }) {
  const isReread = usePlanSchedules()?.isReread !== false;
  return (
    <span className={style['noWrap']}>
      {syncedAt ? <TimeAgo at={syncedAt} /> : t('knowledge.notYet')}
      {nextSyncAt && isReread && (
        <span className={style['detail']}>
          {t('knowledge.next')} <TimeAgo at={nextSyncAt} />
        </span>
      )}
    </span>
  );
}
