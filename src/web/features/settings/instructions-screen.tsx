import { Switch, Textarea } from '@mantine/core';
import { ChatbotChanges, type Chatbot } from '../../../contract/chatbot.ts';
import { INSTRUCTIONS_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { showFieldErrors, useValidForm } from '../../form.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { SettingsForm, WithAgent } from './settings-form.tsx';
import { useSaveAgent } from './use-save-agent.ts';

export function InstructionsScreen() {
  return <WithAgent>{(agent) => <InstructionsForm agent={agent} />}</WithAgent>;
}

const schema = ChatbotChanges.pick({
  customInstructions: true,
  enableKnowledgeBaseMode: true,
  fallbackMessage: true,
});

function InstructionsForm({ agent }: { agent: Chatbot }) {
  const { customInstructions, enableKnowledgeBaseMode, fallbackMessage } = agent;
  const labels = {
    customInstructions: t('settings.customInstructions'),
    enableKnowledgeBaseMode: t('settings.knowledgeOnly'),
    fallbackMessage: t('settings.fallback'),
  };
  const form = useValidForm({
    initial: { customInstructions, enableKnowledgeBaseMode, fallbackMessage },
    schema,
    labels,
  });
  const save = useSaveAgent((error) => showFieldErrors(form, error));
  const submit = form.onSubmit((values) => save.mutate(values, { onSuccess: () => form.resetDirty() }));
  return (
    <SettingsForm onSubmit={submit} busy={save.isPending} changed={form.isDirty()}>
      <Textarea
        label={labels.customInstructions}
        description={t('settings.customInstructionsHint', {
          count: formatNumber(INSTRUCTIONS_MAX_CHARACTERS),
        })}
        placeholder={t('settings.customInstructionsExample')}
        autosize
        minRows={8}
        maxRows={24}
        {...form.getInputProps('customInstructions')}
      />
      <Switch
        label={labels.enableKnowledgeBaseMode}
        description={t('settings.knowledgeOnlyHint')}
        {...form.getInputProps('enableKnowledgeBaseMode', { type: 'checkbox' })}
      />
      <Textarea
        label={labels.fallbackMessage}
        description={t('settings.fallbackHint')}
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('fallbackMessage')}
      />
    </SettingsForm>
  );
}
