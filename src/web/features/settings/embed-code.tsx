import { Stack } from '@mantine/core';
import type { Chatbot } from '../../../contract/chatbot.ts';
import { t } from '../../messages/t.ts';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import { useRecordStep } from '../../parts/use-record-step.ts';
import { CodeSample } from './code-sample.tsx';
import { embedCode } from './samples.ts';

/** The snippet a site puts into its pages to show this agent, ready to copy. */
export function EmbedCode({ agent }: { agent: Chatbot }) {
  const record = useRecordStep();
  return (
    <Section title={t('settings.embed')} lead={t('settings.embedHint')}>
      <Stack>
        <CodeSample
          name={t('settings.embed')}
          code={embedCode({ origin: location.origin, agentId: agent.id })}
          copyLabel={t('settings.copyCode')}
          onCopied={() => record.mutate('shared')}
        />
        {!agent.isPublic && <Callout>{t('settings.embedPrivate')}</Callout>}
      </Stack>
    </Section>
  );
}
