import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { PluginType } from '../../../contract/plugin-names.ts';
import { t } from '../../messages/t.ts';
import { Permitted } from '../../session/permitted.tsx';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { toast } from '../../toast.ts';
import { Callout } from '../../ui/callout.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { UnsavedGuard } from '../../forms/unsaved-guard.tsx';
import { pick, PluginFields, showPluginErrors, usePluginForm } from './plugin-fields.tsx';
import { fieldsOf, nameOf, takesAddressByHand } from './plugin-words.ts';
import style from './plugins.module.css';
import { Steps } from './steps.tsx';
import { useInstallPlugin, useIsAvailable } from './use-plugins.ts';
import './messages.ts';

/** The steps at a service and the values it gives: then the agent is available there. */
export function InstallScreen({ type }: { type: PluginType }) {
  const name = nameOf(type);
  return (
    <Permitted permission="agent.write" title={t('plugins.installName', { name })}>
      <PageHeader title={t('plugins.installName', { name })} lead={t(`tools.pluginText.${type}`)} />
      <Card kind="form">
        <Stack>
          <Steps type={type} />
          <InstallForm type={type} name={name} />
        </Stack>
      </Card>
    </Permitted>
  );
}

function InstallForm({ type, name }: { type: PluginType; name: string }) {
  const params = { orgId: useOrgId(), agentId: useAgentId() };
  const navigate = useNavigate();
  const { form } = usePluginForm(type, ['settings', 'credentials'], {});
  const install = useInstallPlugin({
    onDone: ({ plugin: { id, health } }) => {
      const title = t('plugins.installed', { name });
      if (health.error === null) toast.success({ title });
      else toast.error({ title, message: t('plugins.installedFailing', { error: health.error }) });
      return navigate({
        to: '/platform/{-$orgId}/agent/$agentId/plugins/$pluginHandle/{-$pluginId}',
        params: { ...params, pluginHandle: type, pluginId: id },
        ignoreBlocker: true,
      });
    },
    onRefused: (error) => showPluginErrors(form, error),
  });
  const isAvailable = useIsAvailable(type);
  const takesSecrets = fieldsOf(type, 'credentials').length > 0;
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) =>
        install.mutate({
          type,
          settingsData: pick(type, 'settings', values),
          ...(takesSecrets && { credentials: pick<string>(type, 'credentials', values) }),
        }),
      )}
    >
      <UnsavedGuard changed={form.isDirty() && !install.isPending && !install.isSuccess} />
      <Stack>
        <PluginFields form={form} type={type} kind="settings" />
        <PluginFields form={form} type={type} kind="credentials" />
        {takesSecrets && <p className={style['soft']}>{t('plugins.credentialsNew')}</p>}
        {takesAddressByHand.has(type) && <p className={style['soft']}>{t('plugins.addressLater')}</p>}
        {!isAvailable && <Callout>{t('plugins.notAvailable')}</Callout>}
        <div>
          <Button type="submit" loading={install.isPending} disabled={!isAvailable}>
            {t('plugins.installName', { name })}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
