import { Switch } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Tool } from '../../../contract/tool.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { isWithoutSecret } from '../../queries/agent-queries.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './tools.module.css';
import { useUpdateTool } from './use-tools.ts';

interface ToolsTableProps {
  tools: readonly Tool[];
  mayWrite: boolean;
}

export function ToolsTable({ tools, mayWrite }: ToolsTableProps) {
  return (
    <DataTable
      label={t('tools.title')}
      columns={[t('tools.name'), t('tools.enabled'), t('tools.status'), t('tools.changed')]}
    >
      {tools.map((tool) => (
        <Row key={tool.id} tool={tool} mayWrite={mayWrite} />
      ))}
    </DataTable>
  );
}

function Row({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  const { id, agentId, kind, name, status, enabledOperations, updatedAt } = tool;
  const orgId = useOrgId();
  const update = useUpdateTool(tool);
  // While it is being saved, the new state is shown.
  const shown = update.isPending ? update.variables.status : status;
  return (
    <tr>
      <Cell kind="main">
        <Link
          to="/platform/{-$orgId}/agent/$agentId/plugins/tool/$toolId"
          params={{ orgId, agentId, toolId: id }}
          className={style['name']}
        >
          {name}
        </Link>
        <span className={style['detail']}>{t(`tools.kind.${kind}`)}</span>
        {isWithoutSecret(tool) && <Badge tone="warning">{t('tools.withoutSecret')}</Badge>}
      </Cell>
      <Cell kind="faint" label={t('tools.enabled')}>
        {enabledOperations === 0
          ? t('tools.enabledNone')
          : t('tools.enabledOf', { count: formatNumber(enabledOperations) })}
      </Cell>
      <Cell>
        <Switch
          label={
            <>
              <Hidden>{name}</Hidden> {t(`tools.status.${shown ?? status}`)}
            </>
          }
          disabled={!mayWrite}
          checked={shown === 'active'}
          onChange={({ currentTarget }) =>
            update.mutate({ status: currentTarget.checked ? 'active' : 'paused' })
          }
        />
      </Cell>
      <Cell kind="faint" label={t('tools.changed')}>
        <TimeAgo at={updatedAt} />
      </Cell>
    </tr>
  );
}
