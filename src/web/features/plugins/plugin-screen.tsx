import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { pageOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Callout } from '../../ui/callout.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { useMay } from '../../session/use-role.ts';
import { AtService } from './at-service.tsx';
import { Deliveries } from './deliveries.tsx';
import { Messages } from './messages.tsx';
import { PluginForms } from './plugin-forms.tsx';
import { RemoveSection } from './remove-section.tsx';
import { nameOf, purposeOf } from './plugin-words.ts';
import { SigningSecret } from './signing-secret.tsx';
import style from './plugins.module.css';
import { pluginQuery, useCheckPlugin, useUpdatePlugin } from './use-plugins.ts';

/** A plugin: whether it works, its setup, and its results. */
export function PluginScreen({ id }: { id: string }) {
  const found = useQuery(pluginQuery(useAgentId(), id));
  return <QueryView {...pageOf(found)}>{(plugin) => <WholePlugin key={id} plugin={plugin} />}</QueryView>;
}

function WholePlugin({ plugin }: { plugin: Plugin }) {
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const { type, status, health } = plugin;
  return (
    <>
      <PageHeader
        title={nameOf(type)}
        lead={<Lead plugin={plugin} />}
        actions={mayWrite && <Acts plugin={plugin} />}
      />
      <Stack gap="lg">
        {!mayWrite && <Callout>{t('plugins.mayNotWrite')}</Callout>}
        {status === 'paused' && <Callout>{t(`plugins.pausedText.${purposeOf(type)}`)}</Callout>}
        {health.error !== null && <Callout tone="bad">{health.error}</Callout>}
        <AtService plugin={plugin} mayWrite={mayWrite} />
        <PluginForms plugin={plugin} mayWrite={mayWrite} />
        {type === 'webhook' && mayWrite && <SigningSecret id={plugin.id} />}
        {type === 'webhook' && <Deliveries plugin={plugin} mayWrite={mayWrite} />}
        {type !== 'webhook' && <Messages plugin={plugin} />}
        {mayWrite && <RemoveSection plugin={plugin} />}
      </Stack>
    </>
  );
}

export const healthTone: Record<Plugin['health']['state'], Tone> = {
  unknown: 'neutral',
  healthy: 'good',
  failing: 'bad',
};

function Lead({ plugin: { status, health, connection } }: { plugin: Plugin }) {
  return (
    <span className={style['lead']}>
      <Badge tone={status === 'active' ? 'good' : 'neutral'}>{t(`tools.status.${status}`)}</Badge>
      {health.state !== 'unknown' && (
        <Badge tone={healthTone[health.state]}>{t(`plugins.health.${health.state}`)}</Badge>
      )}
      {connection.accountName !== null && <span>{connection.accountName}</span>}
      {health.checkedAt !== null && (
        <span>
          {t('plugins.checkedAt')} <TimeAgo at={health.checkedAt} />
        </span>
      )}
    </span>
  );
}

function Acts({ plugin: { id, type, status, connection } }: { plugin: Plugin }) {
  const update = useUpdatePlugin(id);
  const check = useCheckPlugin(id, ({ plugin: { health } }) => {
    if (health.error === null) toast.success({ title: t('plugins.checked') });
    else toast.error({ title: t('plugins.health.failing'), message: health.error });
  });
  const isActive = status === 'active';
  return (
    <Group gap="xs">
      {(type !== 'twitter' || connection.isConnected) && (
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate(undefined)}>
          {t('plugins.check')}
        </Button>
      )}
      <Button
        variant="default"
        loading={update.isPending}
        onClick={() => update.mutate({ status: isActive ? 'paused' : 'active' })}
      >
        {isActive ? t('plugins.pause') : t('plugins.resume')}
      </Button>
    </Group>
  );
}
