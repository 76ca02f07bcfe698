import { Switch, Textarea, TextInput } from '@mantine/core';
import { ChatbotChanges, type Chatbot } from '../../../contract/chatbot.ts';
import { CONVERSATION_STARTER_MAX_CHARACTERS, CONVERSATION_STARTERS_MAX } from '../../../contract/limits.ts';
import { showFieldErrors, useValidForm } from '../../form.ts';
import { t } from '../../messages/t.ts';
import { SettingsForm, WithAgent } from './settings-form.tsx';
import { useSaveAgent } from './use-save-agent.ts';

export function AgentProfileScreen() {
  return <WithAgent>{(agent) => <ProfileForm agent={agent} />}</WithAgent>;
}

const schema = ChatbotChanges.pick({
  name: true,
  welcomeMessage: true,
  isPublic: true,
  voiceEnabled: true,
}).strip();

const limits = { count: CONVERSATION_STARTERS_MAX, length: CONVERSATION_STARTER_MAX_CHARACTERS };

function ProfileForm({ agent }: { agent: Chatbot }) {
  const form = useProfileForm(agent);
  const save = useSaveAgent((error) => showFieldErrors(form, error));
  const submit = form.onSubmit(({ conversationStarters, ...values }) =>
    save.mutate(
      { ...values, conversationStarters: linesOf(conversationStarters) },
      { onSuccess: () => form.resetDirty() },
    ),
  );
  const text = { autosize: true, minRows: 3, maxRows: 8 };
  return (
    <SettingsForm onSubmit={submit} busy={save.isPending} changed={form.isDirty()}>
      <TextInput label={t('agents.name')} {...form.getInputProps('name')} />
      <Textarea
        label={t('settings.welcome')}
        description={t('settings.welcomeHint')}
        {...text}
        {...form.getInputProps('welcomeMessage')}
      />
      <Textarea
        label={t('settings.starters')}
        description={t('settings.startersHint', limits)}
        {...text}
        {...form.getInputProps('conversationStarters')}
      />
      <Switch
        label={t('settings.voice')}
        description={t('settings.voiceHint')}
        {...form.getInputProps('voiceEnabled', { type: 'checkbox' })}
      />
      <Switch
        label={t('settings.public')}
        description={t('settings.publicHint')}
        {...form.getInputProps('isPublic', { type: 'checkbox' })}
      />
    </SettingsForm>
  );
}

function useProfileForm({ name, welcomeMessage, isPublic, voiceEnabled, conversationStarters }: Chatbot) {
  return useValidForm({
    initial: {
      name,
      welcomeMessage,
      isPublic,
      voiceEnabled,
      conversationStarters: conversationStarters.join('\n'),
    },
    schema,
    labels: {
      name: t('agents.name'),
      welcomeMessage: t('settings.welcome'),
      conversationStarters: t('settings.starters'),
      isPublic: t('settings.public'),
      voiceEnabled: t('settings.voice'),
    },
    check: (values): Record<string, string> =>
      areStarters(values.conversationStarters)
        ? {}
        : { conversationStarters: t('settings.startersWrong', limits) },
  });
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

function areStarters(text: string): boolean {
  const lines = linesOf(text);
  return (
    lines.length <= CONVERSATION_STARTERS_MAX &&
    lines.every((line) => line.length <= CONVERSATION_STARTER_MAX_CHARACTERS)
  );
}
