import { NativeSelect, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ChatbotChanges, type Chatbot } from '../../../contract/chatbot.ts';
import { CONVERSATION_STARTER_MAX_CHARACTERS, CONVERSATION_STARTERS_MAX } from '../../../contract/limits.ts';
import { api } from '../../api/api.ts';
import { adoptSaved, changedIn, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { ListField } from '../../forms/list-field.tsx';
import { t } from '../../messages/t.ts';
import { PhotoField } from '../../forms/photo-field.tsx';
import { useOrgId } from '../../routing/route-params.ts';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { asAddress } from '../../forms/web-address.ts';
import { DisclosureFields } from './disclosure-fields.tsx';
import { languageChoices } from './languages.ts';
import { SettingsForm, WithAgent } from './settings-form.tsx';
import { useSaveAgent } from './use-save-agent.ts';

export function AgentProfileScreen() {
  return (
    <WithAgent>
      {(agent) => (
        <Stack>
          <Photo agent={agent} />
          <ProfileForm agent={agent} />
        </Stack>
      )}
    </WithAgent>
  );
}

/** Takes effect at once, like everything that is not part of a version. */
function Photo({ agent }: { agent: Chatbot }) {
  const save = useSaveAgent();
  if (!useMay(useOrgId(), 'agent.write')) return null;
  const upload = async (media: File) => {
    const { url } = await api.chatbot.uploadImage({ id: agent.id, purpose: 'photo', media });
    await save.mutateAsync({ profilePhoto: url });
  };
  return (
    <Section title={t('profile.photo')} lead={t('profile.photoLead')}>
      <PhotoField name={agent.name} photo={agent.profilePhoto} failure="updateChatbot" onUpload={upload} />
    </Section>
  );
}

const schema = ChatbotChanges.pick({
  name: true,
  website: true,
  welcomeMessage: true,
  conversationStarters: true,
  language: true,
  voiceEnabled: true,
  isPublic: true,
  offersPerson: true,
  disclosure: true,
});

/** As form values: unset fields are empty. */
type Values = ReturnType<typeof valuesOf>;

function valuesOf({ name, website, welcomeMessage, conversationStarters, ...agent }: Chatbot) {
  const { language, voiceEnabled, isPublic, offersPerson, disclosure } = agent;
  return {
    name,
    website: website ?? '',
    welcomeMessage,
    conversationStarters,
    language: language ?? '',
    voiceEnabled,
    isPublic,
    offersPerson,
    disclosure,
  };
}

/** As the contract takes them. */
function changesOf({ website, language, ...values }: Partial<Values>) {
  return {
    ...values,
    ...(website !== undefined && { website: asAddress(website) ?? (website.trim() || null) }),
    ...(language !== undefined && { language: language || null }),
  };
}

function labelsOf() {
  return {
    name: t('agents.name'),
    website: t('profile.website'),
    welcomeMessage: t('settings.welcome'),
    conversationStarters: t('profile.starters'),
    language: t('profile.language'),
    voiceEnabled: t('settings.voice'),
    isPublic: t('settings.public'),
    offersPerson: t('settings.offersPerson'),
    disclosure: t('settings.disclosureText'),
  };
}

function ProfileForm({ agent }: { agent: Chatbot }) {
  const labels = labelsOf();
  const stored = valuesOf(agent);
  const form = useValidForm<Values>({
    initial: stored,
    schema: { safeParse: (values) => schema.safeParse(changesOf(values as Values)) },
    labels,
  });
  const seen = useStored<Values>(form, stored);
  const save = useSaveAgent({
    seen: () => changesOf(seen()),
    onRefused: (error) => showFieldErrors(form, error),
  });
  const submit = form.onSubmit((values) =>
    save.mutate(changesOf(changedIn(form, values)), {
      onSuccess: (saved) => adoptSaved(form, values, valuesOf(saved)),
    }),
  );
  return (
    <SettingsForm onSubmit={submit} busy={save.isPending} changed={form.isDirty()}>
      <Words form={form} labels={labels} />
      <Starters form={form} label={labels.conversationStarters} />
      <NativeSelect
        label={labels.language}
        data={[{ value: '', label: t('profile.languageAny') }, ...languageChoices(form.values.language)]}
        {...form.getInputProps('language')}
      />
      <DisclosureFields
        value={form.values.disclosure}
        language={form.values.language}
        onChange={(disclosure) => form.setFieldValue('disclosure', disclosure)}
      />
      <Switch
        label={labels.voiceEnabled}
        description={t('settings.voiceHint')}
        {...form.getInputProps('voiceEnabled', { type: 'checkbox' })}
      />
      <Switch
        label={labels.isPublic}
        description={t('settings.publicHint')}
        {...form.getInputProps('isPublic', { type: 'checkbox' })}
      />
      <Switch
        label={labels.offersPerson}
        description={t('settings.offersPersonHint')}
        {...form.getInputProps('offersPerson', { type: 'checkbox' })}
      />
    </SettingsForm>
  );
}

interface WordsProps {
  form: UseFormReturnType<Values>;
  labels: ReturnType<typeof labelsOf>;
}

/** Its name, the website it is for, and what it says first. */
function Words({ form, labels }: WordsProps) {
  return (
    <>
      <TextInput label={labels.name} {...form.getInputProps('name')} />
      <TextInput
        type="url"
        label={labels.website}
        description={t('profile.websiteHint')}
        placeholder={t('profile.websiteExample')}
        {...form.getInputProps('website')}
      />
      <Textarea
        label={labels.welcomeMessage}
        description={t('settings.welcomeHint')}
        autosize
        minRows={3}
        maxRows={8}
        {...form.getInputProps('welcomeMessage')}
      />
    </>
  );
}

function Starters({ form, label }: { form: UseFormReturnType<Values>; label: string }) {
  return (
    <ListField
      ordered
      form={form}
      path="conversationStarters"
      label={label}
      description={t('profile.startersHint', {
        count: CONVERSATION_STARTERS_MAX,
        length: CONVERSATION_STARTER_MAX_CHARACTERS,
      })}
      nameOf={(number) => t('profile.starter', { number })}
      addLabel={t('profile.addStarter')}
      maxCount={CONVERSATION_STARTERS_MAX}
      maxLength={CONVERSATION_STARTER_MAX_CHARACTERS}
    />
  );
}
