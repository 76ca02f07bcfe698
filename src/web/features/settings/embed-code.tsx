import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { Callout } from '../../ui/callout.tsx';
import { Card } from '../../ui/card.tsx';
import { useRecordStep } from '../../use-record-step.ts';
import { WidgetPosition } from './widget-position.tsx';

/** What a site puts into its pages to show this agent, ready to be copied. */
export function EmbedCode({ agent }: { agent: Chatbot }) {
  const record = useRecordStep();
  const code = `<script src="${location.origin}/widget.js" data-agent="${agent.id}" async></script>`;
  const sites = agent.allowedOrigins.join(', ');
  return (
    <Card kind="form">
      <Stack>
        <div>
          <Text fw="var(--strong)">{t('settings.embed')}</Text>
          <Text c="dimmed">{t('settings.embedHint')}</Text>
        </div>
        <Code block tabIndex={0} aria-label={t('settings.embed')}>
          {code}
        </Code>
        <Group>
          <CopyButton value={code}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                onClick={() => {
                  copy();
                  record.mutate('shared');
                }}
              >
                {copied ? t('settings.copied') : t('settings.copyCode')}
              </Button>
            )}
          </CopyButton>
        </Group>
        <WidgetPosition appearance={agent.appearance} />
        {sites && <Text c="dimmed">{t('settings.embedSites', { sites })}</Text>}
        {!agent.isPublic && <Callout>{t('settings.embedPrivate')}</Callout>}
      </Stack>
    </Card>
  );
}
