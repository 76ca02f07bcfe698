import { ChatbotChanges, type Chatbot } from '../../../contract/chatbot.ts';
import { ALLOWED_ORIGINS_MAX } from '../../../contract/limits.ts';
import { adoptSaved, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { ListField } from '../../forms/list-field.tsx';
import { t } from '../../messages/t.ts';
import { useOrgId } from '../../routing/route-params.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Section } from '../../ui/section.tsx';
import { useMay } from '../../session/use-role.ts';
import { useSaveAgent } from './use-save-agent.ts';

const schema = ChatbotChanges.pick({ allowedOrigins: true });
const SITE_MAX_CHARACTERS = 255;

/** The sites that may show the agent. */
export function AllowedSites({ agent: { allowedOrigins } }: { agent: Chatbot }) {
  const form = useValidForm({
    initial: { allowedOrigins },
    schema,
    labels: { allowedOrigins: t('share.sites') },
  });
  const seen = useStored(form, { allowedOrigins });
  const save = useSaveAgent({ seen, onRefused: (error) => showFieldErrors(form, error) });
  const mayWrite = useMay(useOrgId(), 'agent.write');
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      // In the browsers' format.
      onSuccess: ({ allowedOrigins }) => adoptSaved(form, values, { allowedOrigins }),
    }),
  );
  const count = form.values.allowedOrigins.length;
  return (
    <Section title={t('share.sites')} lead={t('share.sitesHint')}>
      <SavedForm onSubmit={submit} isChanged={form.isDirty()} isSaving={save.isPending} mayWrite={mayWrite}>
        <ListField
          form={form}
          path="allowedOrigins"
          label={t('share.sites')}
          nameOf={(number) => t('share.site', { number })}
          addLabel={t('share.addSite')}
          placeholder={t('share.siteExample')}
          maxCount={ALLOWED_ORIGINS_MAX}
          maxLength={SITE_MAX_CHARACTERS}
        />
        {count > 0 && <Callout>{t('share.sitesPublicOnly')}</Callout>}
      </SavedForm>
    </Section>
  );
}
