import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../../contract/client.ts';
import type { PluginType } from '../../../contract/plugin-names.ts';
import { pluginShapes, webhookEvents } from '../../../contract/plugin-types.ts';
import { useStored, useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { asAddress } from '../../forms/web-address.ts';
import { fieldsOf, hintOf, labelOf, type PluginField } from './plugin-words.ts';

type PluginValues = Partial<Record<PluginField, string | string[]>>;
type PluginForm = UseFormReturnType<PluginValues>;

export type Kind = 'settings' | 'credentials';

/**
 * A form for a type's fields, with the stored values; the server validates with the same schema. `seen` returns the
 * stored values when their changes were begun.
 */
export function usePluginForm(type: PluginType, kinds: readonly Kind[], values: Record<string, unknown>) {
  const fields = kinds.flatMap((kind) => fieldsOf(type, kind));
  const stored: PluginValues = Object.fromEntries(
    fields.map((field) => [field, values[field] ?? emptyOf(field)]),
  );
  const form = useValidForm<PluginValues>({
    initial: stored,
    labels: Object.fromEntries(fields.map((field) => [field, labelOf(field)])) as Record<PluginField, string>,
    check: (given) =>
      Object.assign({}, ...kinds.map((kind) => objections(type, kind, given))) as Record<string, string>,
  });
  return { form, seen: useStored(form, stored) };
}

/** Shows the server's errors at their fields; false if there are none. */
export function showPluginErrors(form: PluginForm, error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const said = error.code.startsWith('egress/') ? [{ path: 'url', message: error.message }] : error.errors;
  const known = said
    .map(({ path, message }) => [path.replace(/^(settingsData|credentials)\./, ''), message] as const)
    .filter(([field]) => field in form.getValues());
  form.setErrors(Object.fromEntries(known));
  return known.length > 0;
}

const emptyOf = (field: PluginField): string | string[] => (field === 'events' ? [...webhookEvents] : '');

function objections(type: PluginType, kind: Kind, values: PluginValues): Record<string, string> {
  const result = pluginShapes[type][kind].safeParse(pick(type, kind, values));
  if (result.success) return {};
  const fields = result.error.issues.map(({ path }) => path[0] as PluginField);
  return Object.fromEntries(fields.map((field) => [field, t('form.notValid', { field: labelOf(field) })]));
}

/** The form values of one kind, as API input. */
export function pick<V extends string | string[]>(
  type: PluginType,
  kind: Kind,
  values: PluginValues,
): Record<string, V> {
  return Object.fromEntries(
    fieldsOf(type, kind).flatMap((field) => {
      const value = values[field];
      const typed = typeof value === 'string' ? value.trim() : value;
      const given = field === 'url' && typeof typed === 'string' ? (asAddress(typed) ?? typed) : typed;
      // Optional fields are omitted; for the others the schema reports that they are missing.
      return given === '' ? [] : [[field, given]];
    }),
  ) as Record<string, V>;
}

/** One input per field. */
export function PluginFields({ form, type, kind }: { form: PluginForm; type: PluginType; kind: Kind }) {
  return (
    <Stack>
      {fieldsOf(type, kind).map((field) => (
        <Field key={field} form={form} field={field} isSecret={kind === 'credentials'} />
      ))}
    </Stack>
  );
}

function Field({ form, field, isSecret }: { form: PluginForm; field: PluginField; isSecret: boolean }) {
  const hint = hintOf(field);
  const props = { label: labelOf(field), ...(hint && { description: hint }), ...form.getInputProps(field) };
  if (field === 'events')
    return (
      <Checkbox.Group {...props}>
        <Stack gap="xs" mt="xs">
          {webhookEvents.map((event) => (
            <Checkbox key={event} value={event} label={t(`plugins.event.${event}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  if (isSecret) return <TextInput type="password" autoComplete="off" spellCheck={false} {...props} />;
  const isAddress = field === 'url';
  return (
    <TextInput
      spellCheck={false}
      {...(isAddress && {
        type: 'url',
        inputMode: 'url' as const,
        placeholder: 'https://example.com/parley',
      })}
      {...props}
    />
  );
}
