import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../../contract/client.ts';
import type { PluginType } from '../../../contract/plugin-names.ts';
import { pluginShapes, webhookEvents } from '../../../contract/plugin-types.ts';
import { useValidForm } from '../../forms/form.ts';
import { t } from '../../messages/t.ts';
import { asAddress } from '../../forms/web-address.ts';
import { fieldsOf, hintOf, labelOf, type PluginField } from './plugin-words.ts';

type PluginValues = Partial<Record<PluginField, string | string[]>>;
type PluginForm = UseFormReturnType<PluginValues>;

export type Kind = 'settings' | 'credentials';

/** A form of what a type takes, with what it has; the server judges by the same schema. */
export function usePluginForm(type: PluginType, kinds: readonly Kind[], values: Record<string, unknown>) {
  const fields = kinds.flatMap((kind) => fieldsOf(type, kind));
  return useValidForm<PluginValues>({
    initial: Object.fromEntries(fields.map((field) => [field, values[field] ?? emptyOf(field)])),
    labels: Object.fromEntries(fields.map((field) => [field, labelOf(field)])) as Record<PluginField, string>,
    check: (given) =>
      Object.assign({}, ...kinds.map((kind) => objections(type, kind, given))) as Record<string, string>,
  });
}

/** Shows what the server said of an input at the field that holds it; false when there is none. */
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

/** Of the form's values those of one kind, as the API takes them. */
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
      // What may be left out is left out; of everything else the schema says that it is missing.
      return given === '' ? [] : [[field, given]];
    }),
  ) as Record<string, V>;
}

/** One input for each field. */
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
