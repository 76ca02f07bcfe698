import { Button, Stack, TextInput } from '@mantine/core';
import type { Plugin } from '../../../contract/plugin.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { t } from '../../messages/t.ts';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import { nameOf, takesAddressByHand } from './plugin-words.ts';
import style from './plugins.module.css';
import { Steps } from './steps.tsx';
import { useConnectPlugin, useIsAvailable } from './use-plugins.ts';

/** The steps at the service, with the values it asks for. */
export function AtService({ plugin, mayWrite }: { plugin: Plugin; mayWrite: boolean }) {
  const { id, type, webhookUrl, verifyToken, connection, health } = plugin;
  const isToConnect = !connection.isConnected || health.state === 'failing';
  const connect = useConnectPlugin();
  const isAvailable = useIsAvailable(type);
  return (
    <Section title={t('plugins.steps')}>
      <Stack>
        <Steps type={type} />
        {webhookUrl !== null && takesAddressByHand.has(type) && (
          <Copied
            label={t('plugins.webhookUrl')}
            hint={t('plugins.publicNeeded')}
            text={webhookUrl}
            action={t('plugins.copyAddress')}
          />
        )}
        {verifyToken !== null && (
          <Copied label={t('plugins.verifyToken')} text={verifyToken} action={t('plugins.copyToken')} />
        )}
        {!isAvailable && <Callout>{t('plugins.notAvailable')}</Callout>}
        {type === 'twitter' && mayWrite && isToConnect && (
          <div>
            <Button loading={connect.isPending} disabled={!isAvailable} onClick={() => connect.mutate(id)}>
              {t(connection.isConnected ? 'plugins.connectAgain' : 'tools.connectName', {
                name: nameOf(type),
              })}
            </Button>
          </div>
        )}
      </Stack>
    </Section>
  );
}

interface CopiedProps {
  label: string;
  hint?: string;
  text: string;
  action: string;
}

function Copied({ label, hint, text, action }: CopiedProps) {
  return (
    <div className={style['copy']}>
      <TextInput
        readOnly
        label={label}
        {...(hint && { description: hint })}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyText text={text} label={action} />
    </div>
  );
}
