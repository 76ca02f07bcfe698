import { TOOL_SITES_MAX } from '../../../contract/limits.ts';
import { tool as contract, type Tool } from '../../../contract/tool.ts';
import { adoptSaved, showFieldErrors, useStored, useValidForm } from '../../forms/form.ts';
import { ListField } from '../../forms/list-field.tsx';
import { t } from '../../messages/t.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { useUpdateTool } from './use-tools.ts';

const schema = contract.update.input.pick({ hosts: true });
const SITE_MAX_CHARACTERS = 260;

/** The sites where a built-in tool may read pages. */
export function SitesForm({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  const form = useValidForm({ initial: { hosts: tool.hosts }, schema, labels: { hosts: t('tools.sites') } });
  const seen = useStored(form, { hosts: tool.hosts });
  const saving = {
    onSaved: () => toast.success({ title: t('ui.saved') }),
    onRefused: (error: unknown) => showFieldErrors(form, error),
  };
  const save = useUpdateTool(tool, saving, seen);
  const submit = form.onSubmit((values) =>
    save.mutate(values, {
      onSuccess: ({ tool: { hosts } }) => adoptSaved(form, values, { hosts }),
    }),
  );
  return (
    <Section title={t('tools.sites')} lead={t('tools.sitesLead')}>
      <SavedForm onSubmit={submit} isChanged={form.isDirty()} isSaving={save.isPending} mayWrite={mayWrite}>
        <ListField
          form={form}
          path="hosts"
          label={t('tools.sites')}
          nameOf={(number) => t('tools.site', { number })}
          addLabel={t('tools.addSite')}
          placeholder={t('tools.siteExample')}
          maxCount={TOOL_SITES_MAX}
          maxLength={SITE_MAX_CHARACTERS}
        />
      </SavedForm>
    </Section>
  );
}
