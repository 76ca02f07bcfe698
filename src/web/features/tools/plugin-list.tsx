import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../query-props.ts';
import { useAgentId } from '../../route-params.ts';
import { toast } from '../../toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell, DataTable } from '../../ui/data-table.tsx';
import { Hidden } from '../../ui/hidden.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import style from './tools.module.css';
import { pluginsQuery, useConnectPlugin, useRemovePlugin, useSetPluginStatus } from './use-plugins.ts';

/** Where else the agent is; nothing as long as it is nowhere else. */
export function PluginList({ mayWrite }: { mayWrite: boolean }) {
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
            columns={[t('tools.plugin'), t('tools.account'), t('tools.status')]}
            actions={t('tools.actions')}
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
  const { id, type, status, connection } = plugin;
  const setStatus = useSetPluginStatus();
  const name = t(`tools.plugin.${type}`);
  return (
    <tr>
      <Cell kind="main">
        <span className={style['name']}>{name}</span>
        {connection.accountName && <span className={style['detail']}>{connection.accountName}</span>}
      </Cell>
      <Cell>
        <Badge tone={connection.isConnected ? 'good' : 'warning'}>
          {connection.isConnected ? t('tools.pluginConnected') : t('tools.pluginNotConnected')}
        </Badge>
      </Cell>
      <Cell>
        <Switch
          label={
            <>
              <Hidden>{name}</Hidden> {t(`tools.status.${status}`)}
            </>
          }
          disabled={!mayWrite || setStatus.isPending}
          checked={status === 'active'}
          onChange={({ currentTarget }) => setStatus.mutate({ id, isActive: currentTarget.checked })}
        />
      </Cell>
      <Cell kind="actions">{mayWrite && <Acts plugin={plugin} name={name} />}</Cell>
    </tr>
  );
}

function Acts({ plugin: { id, connection }, name }: { plugin: Plugin; name: string }) {
  const [asking, setAsking] = useState(false);
  const connect = useConnectPlugin();
  const remove = useRemovePlugin(() => toast.success({ title: t('tools.removed'), message: name }));
  return (
    <div className={style['acts']}>
      {!connection.isConnected && (
        <Button
          variant="default"
          size="xs"
          loading={connect.isPending}
          aria-label={t('tools.connectName', { name })}
          onClick={() => connect.mutate(id)}
        >
          {t('tools.connect')}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        aria-label={t('tools.removeName', { name })}
        onClick={() => setAsking(true)}
      >
        {t('tools.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('tools.removeName', { name })}
        text={t('tools.removePluginText')}
        action={t('tools.remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
