import { Button, CopyButton, Group, Stack, TextInput } from '@mantine/core';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../route-params.ts';
import { Callout } from '../../ui/callout.tsx';
import { Card } from '../../ui/card.tsx';
import { useRecordStep } from '../../use-record-step.ts';
import { useMay } from '../../use-role.ts';
import { WithAgent } from './settings-form.tsx';
import { EmbedCode } from './embed-code.tsx';
import { useSaveAgent } from './use-save-agent.ts';

export function ShareScreen() {
  return (
    <WithAgent>
      {(agent) => (
        <Stack>
          <Share agent={agent} />
          <EmbedCode agent={agent} />
        </Stack>
      )}
    </WithAgent>
  );
}

function Share({ agent }: { agent: Chatbot }) {
  const save = useSaveAgent();
  const record = useRecordStep();
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const address = `${location.origin}/chat/${agent.handle}`;
  return (
    <Card kind="form">
      <Stack>
        <TextInput
          readOnly
          label={t('settings.publicLink')}
          description={t('settings.publicLinkHint')}
          value={address}
        />
        <Group>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={() => {
                  copy();
                  record.mutate('shared');
                }}
              >
                {copied ? t('settings.copied') : t('settings.copyLink')}
              </Button>
            )}
          </CopyButton>
          <Button component="a" variant="default" href={address} target="_blank">
            {t('settings.openLink')}
          </Button>
        </Group>
        {!agent.isPublic && <Callout>{t('settings.isPrivate')}</Callout>}
        {mayWrite && (
          <div>
            <Button
              variant={agent.isPublic ? 'default' : 'filled'}
              loading={save.isPending}
              onClick={() => save.mutate({ isPublic: !agent.isPublic })}
            >
              {agent.isPublic ? t('settings.makePrivate') : t('settings.makePublic')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}
