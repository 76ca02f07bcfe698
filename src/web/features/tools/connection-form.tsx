import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Tool } from '../../../contract/tool.ts';
import { adoptSaved, useStored } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { SavedForm } from '../../forms/saved-form.tsx';
import { toast } from '../../toast.ts';
import { Section } from '../../ui/section.tsx';
import { AuthenticationFields } from './authentication-fields.tsx';
import {
  addressOf,
  connectionOf,
  OWN_SERVER,
  seenOf,
  serverOf,
  showConnectionErrors,
  useConnectionForm,
  valuesOf,
  type ConnectionForm as Form,
  type ConnectionValues,
} from './connection-values.ts';
import { useFindSignIn, useUpdateTool } from './use-tools.ts';

/** A service's address and authentication. */
export function ConnectionForm({ tool, mayWrite }: { tool: Tool; mayWrite: boolean }) {
  const form = useConnectionForm(tool);
  const saving = {
    onSaved: () => toast.success({ title: t('ui.saved') }),
    onRefused: (error: unknown) => showConnectionErrors(form, error),
  };
  const seen = useStored(form, valuesOf(tool));
  const save = useUpdateTool(tool, saving, () => seenOf(seen()));
  const find = useFindSignIn(tool, saving);
  const adopt = (sent: ConnectionValues) => ({
    onSuccess: (saved: { tool: Tool }) => adoptSaved(form, sent, valuesOf(saved.tool)),
  });
  return (
    <Section title={t('tools.connection')} lead={t('tools.connectionLead')}>
      <SavedForm
        onSubmit={form.onSubmit((values) => save.mutate(connectionOf(values), adopt(values)))}
        isChanged={form.isDirty()}
        isSaving={save.isPending}
        mayWrite={mayWrite}
        more={
          tool.kind === 'mcp' && (
            <Button
              variant="default"
              loading={find.isPending}
              disabled={addressOf(form.values) === ''}
              onClick={() => find.mutate(serverOf(form.values), adopt(form.values))}
            >
              {t('tools.findSignIn')}
            </Button>
          )
        }
      >
        <ServerFields form={form} servers={tool.servers} />
        <AuthenticationFields form={form} tool={tool} />
      </SavedForm>
    </Section>
  );
}

/** One named in the document, or another address. */
function ServerFields({ form, servers }: { form: Form; servers: readonly string[] }) {
  return (
    <>
      {servers.length > 0 && (
        <NativeSelect
          label={t('tools.server')}
          data={[
            ...servers.map((server) => ({ value: server, label: server })),
            { value: OWN_SERVER, label: t('tools.serverOwn') },
          ]}
          {...form.getInputProps('server')}
        />
      )}
      {form.values.server === OWN_SERVER && (
        <TextInput
          type="url"
          inputMode="url"
          spellCheck={false}
          label={t('tools.serverAddress')}
          placeholder="https://api.example.com/v1"
          {...form.getInputProps('ownServer')}
        />
      )}
    </>
  );
}
