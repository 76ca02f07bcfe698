import { TextInput } from '@mantine/core';
import { ChatbotChanges, HANDLE_MAX_CHARACTERS, type Chatbot } from '../../../contract/chatbot.ts';
import { adoptSaved, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { useMay } from '../../session/use-role.ts';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import { useSaveAgent } from './use-save-agent.ts';

const schema = ChatbotChanges.pick({ handle: true }).required();

/** The agent's name in its public addresses. */
export function ShareHandle({ agent: { handle } }: { agent: Chatbot }) {
  const form = useValidForm({ initial: { handle }, schema, labels: { handle: t('share.handle') } });
  const seen = useStored(form, { handle });
  const save = useSaveAgent({ seen, onRefused: (error) => showFieldErrors(form, error) });
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const submit = form.onSubmit((values) =>
    save.mutate(values, { onSuccess: (saved) => adoptSaved(form, values, { handle: saved.handle }) }),
  );
  return (
    <Section title={t('share.handle')} lead={t('share.handleLead')}>
      <SavedForm onSubmit={submit} isChanged={form.isDirty()} isSaving={save.isPending} mayWrite={mayWrite}>
        <TextInput
          label={t('share.handle')}
          description={t('share.handleHint')}
          maxLength={HANDLE_MAX_CHARACTERS}
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('handle')}
        />
        {form.isDirty() && <Callout>{t('share.handleChanges')}</Callout>}
      </SavedForm>
    </Section>
  );
}
