import { Button, Group, Stack, Switch, TextInput } from '@mantine/core';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import { useRecordStep } from '../../parts/use-record-step.ts';
import { useMay } from '../../session/use-role.ts';
import { QrCode } from './qr-code.tsx';
import { useSaveAgent } from './use-save-agent.ts';

/** The address where everybody finds the agent, and whether it is public. */
export function ShareLink({ agent }: { agent: Chatbot }) {
  const save = useSaveAgent();
  const record = useRecordStep();
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const address = `${location.origin}/chat/${agent.handle}`;
  const isPublic = save.isPending ? (save.variables.isPublic ?? agent.isPublic) : agent.isPublic;
  return (
    <Section title={t('share.link')} lead={t('share.linkLead')}>
      <Stack>
        <TextInput
          readOnly
          aria-label={t('share.link')}
          value={address}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Group gap="xs">
          <CopyText text={address} label={t('settings.copyLink')} onCopied={() => record.mutate('shared')} />
          <Button component="a" variant="default" href={address} target="_blank">
            {t('settings.openLink')}
          </Button>
        </Group>
        <Switch
          label={t('settings.public')}
          description={t('settings.publicHint')}
          disabled={!mayWrite || save.isPending}
          checked={isPublic}
          onChange={({ currentTarget }) => save.mutate({ isPublic: currentTarget.checked })}
        />
        {!agent.isPublic && <Callout>{t('settings.isPrivate')}</Callout>}
        <QrCode address={address} fileName={agent.handle} />
      </Stack>
    </Section>
  );
}
