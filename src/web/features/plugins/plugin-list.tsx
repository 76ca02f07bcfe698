import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { pluginsQuery } from '../../queries/agent-queries.ts';
import { viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useMay } from '../../session/use-role.ts';
import { healthTone } from './plugin-screen.tsx';
import { nameOf } from './plugin-words.ts';
import style from './plugins.module.css';
import { useUpdatePlugin } from './use-plugins.ts';
import './messages.ts';

/** Where else the agent is available; nothing if nowhere. */
export function PluginList() {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const plugins = useQuery(pluginsQuery(useAgentId()));
  if (plugins.data?.length === 0) return null;
  return (
    <section className={style['part']} aria-labelledby="plugins">
      <div>
        <h2 id="plugins" className={style['heading']}>
          {t('tools.plugins')}
        </h2>
        <p className={style['soft']}>{t('tools.pluginsLead')}</p>
      </div>
      <QueryView {...viewOf(plugins)}>
        {(found) => (
          <DataTable
            label={t('tools.plugins')}
            columns={[t('tools.plugin'), t('plugins.state'), t('tools.status')]}
          >
            {found.map((plugin) => (
              <Row key={plugin.id} plugin={plugin} mayWrite={mayWrite} />
            ))}
          </DataTable>
        )}
      </QueryView>
    </section>
  );
}

function Row({ plugin, mayWrite }: { plugin: Plugin; mayWrite: boolean }) {
  const { id, type, status, connection, health } = plugin;
  const update = useUpdatePlugin(id);
  const name = nameOf(type);
  return (
    <tr>
      <Cell kind="main">
        <Link
          className={style['name']}
          to="/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/{-$pluginId}"
          params={{ orgId: useOrgId(), agentId: useAgentId(), pluginHandle: type, pluginId: id }}
        >
          {name}
        </Link>
        {connection.accountName && <span className={style['detail']}>{connection.accountName}</span>}
      </Cell>
      <Cell>
        {type === 'twitter' && !connection.isConnected ? (
          <Badge tone="warning">{t('tools.pluginNotConnected')}</Badge>
        ) : (
          <Badge tone={healthTone[health.state]}>{t(`plugins.health.${health.state}`)}</Badge>
        )}
      </Cell>
      <Cell>
        <Switch
          label={
            <>
              <Hidden>{name}</Hidden> {t(`tools.status.${status}`)}
            </>
          }
          disabled={!mayWrite || update.isPending}
          checked={status === 'active'}
          onChange={({ currentTarget }) =>
            update.mutate({ status: currentTarget.checked ? 'active' : 'paused' })
          }
        />
      </Cell>
    </tr>
  );
}
