import { Link } from '@tanstack/react-router';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { titleOf } from './item-title.ts';
import style from './knowledge.module.css';
import { RemoveItem } from './remove-item.tsx';
import { StateBadge } from './state-badge.tsx';
import { TypeIcon } from './type-icon.tsx';

interface KnowledgeTableProps {
  items: readonly Knowledge[];
  orgId: string;
  agentId: string;
  mayWrite: boolean;
}

export function KnowledgeTable({ items, ...rest }: KnowledgeTableProps) {
  return (
    <table className={style['table']}>
      <thead>
        <tr>
          <th scope="col">{t('knowledge.name')}</th>
          <th scope="col">{t('knowledge.type')}</th>
          <th scope="col">{t('knowledge.stateTitle')}</th>
          <th scope="col">{t('knowledge.size')}</th>
          <th scope="col">{t('knowledge.changed')}</th>
          <th>
            <Hidden>{t('knowledge.actions')}</Hidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={item.id} item={item} {...rest} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ item, orgId, agentId, mayWrite }: Omit<KnowledgeTableProps, 'items'> & { item: Knowledge }) {
  const { error, state } = item.progress;
  return (
    <tr>
      <td className={style['name']}>
        <Link
          to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
          params={{ orgId, agentId, knowledgeId: item.id }}
        >
          {titleOf(item)}
        </Link>
        {state === 'failed' && error && <p className={style['fault']}>{error}</p>}
      </td>
      <td className={style['type']}>
        <TypeIcon type={item.type} />
        <span>{t(`knowledge.type.${item.type}`)}</span>
      </td>
      <td>
        <StateBadge progress={item.progress} />
      </td>
      <td className={style['number']}>
        {state === 'ready' &&
          t('knowledge.characters#', { count: item.characters, number: formatNumber(item.characters) })}
      </td>
      <td className={style['faint']}>
        <TimeAgo at={item.updatedAt} />
      </td>
      <td className={style['actions']}>{mayWrite && <RemoveItem agentId={agentId} item={item} />}</td>
    </tr>
  );
}
