import type { Plugin } from '../../../contract/plugin.ts';
import { t } from '../../messages/t.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { pick, PluginFields, showPluginErrors, usePluginForm, type Kind } from './plugin-fields.tsx';
import { fieldsOf } from './plugin-words.ts';
import { useUpdatePlugin } from './use-plugins.ts';

/** A plugin's settings, and its write-only credentials. */
export function PluginForms({ plugin, mayWrite }: { plugin: Plugin; mayWrite: boolean }) {
  const has = (kind: Kind) => fieldsOf(plugin.type, kind).length > 0;
  return (
    <>
      {has('settings') && <KindForm plugin={plugin} kind="settings" mayWrite={mayWrite} />}
      {has('credentials') && mayWrite && <KindForm plugin={plugin} kind="credentials" mayWrite />}
    </>
  );
}

function KindForm({ plugin, kind, mayWrite }: { plugin: Plugin; kind: Kind; mayWrite: boolean }) {
  const { id, type, settingsData } = plugin;
  const { form, seen } = usePluginForm(type, [kind], kind === 'settings' ? settingsData : {});
  const saving = {
    onDone: ({ plugin: { health } }: { plugin: Plugin }) => {
      if (health.error === null) toast.success({ title: t('ui.saved') });
      else toast.error({ title: t('plugins.health.failing'), message: health.error });
    },
    onRefused: (error: unknown) => showPluginErrors(form, error),
  };
  const save = useUpdatePlugin(id, saving, () => ({ settingsData: seen() }));
  const lead = kind === 'credentials' ? t('plugins.credentialsLead') : undefined;
  return (
    <Section title={t(`plugins.${kind}`)} lead={lead}>
      <SavedForm
        isChanged={form.isDirty()}
        isSaving={save.isPending}
        mayWrite={mayWrite}
        action={kind === 'credentials' ? t('plugins.replace') : undefined}
        onSubmit={form.onSubmit((values) =>
          save.mutate(
            kind === 'settings'
              ? { settingsData: pick(type, kind, values) }
              : { credentials: pick<string>(type, kind, values) },
            { onSuccess: () => (kind === 'credentials' ? form.reset() : form.resetDirty(values)) },
          ),
        )}
      >
        <PluginFields form={form} type={type} kind={kind} />
      </SavedForm>
    </Section>
  );
}
