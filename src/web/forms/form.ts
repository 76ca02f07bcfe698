import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, type SyntheticEvent } from 'react';
import { ApiError } from '../../contract/client.ts';
import { useKeptForm } from './kept-form.ts';
import { t } from '../messages/t.ts';

interface Issue {
  path: readonly PropertyKey[];
  message: string;
  /** `too_big`: the value exceeds `maximum`; `origin` says of what kind. */
  code?: string | undefined;
  origin?: string;
  maximum?: number | bigint;
}

/** The part of a zod schema a form needs. */
interface Schema {
  safeParse(value: unknown):
    | { success: true }
    | {
        success: false;
        error: {
          issues: readonly Issue[];
        };
      };
}

interface FormSetup<Values> {
  initial: Values;
  /** The schema the server validates with, for this form's fields. */
  schema?: Schema;
  /** The fields' labels. */
  labels: Record<keyof Values & string, string>;
  /** Checks beyond the schema: messages by field. */
  check?: (values: Values) => Record<string, string>;
}

/**
 * Updates a form from the stored values, which a restored version, another tab or another person may change, field by
 * field as long as nothing in it is unsaved: text being written is never replaced. The returned function tells, for
 * each field, the stored value when its current change was begun.
 */
export function useStored<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  stored: Values,
): () => Values {
  const key = JSON.stringify(stored);
  const followed = useRef(key);
  const seen = useRef(stored);
  useEffect(() => {
    const unsaved = changedIn(form, form.getValues());
    const begun = Object.entries(seen.current).filter(([field]) => field in unsaved);
    seen.current = { ...stored, ...Object.fromEntries(begun) };
    if (followed.current === key) return;
    followed.current = key;
    form.setValues({ ...stored, ...unsaved });
    form.resetDirty(stored);
  });
  return () => seen.current;
}

/**
 * The fields that differ from what was stored: saving only these doesn't revert what another person or tab has saved in
 * the others since the form was filled.
 */
export function changedIn<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  values: Values,
): Partial<Values> {
  const changed = Object.entries(values).filter(([field]) => form.isDirty(field));
  return Object.fromEntries(changed) as Partial<Values>;
}

/**
 * Stores the sent values as saved, possibly as normalized by the server: fields that still hold what was sent take the
 * normalized value. Text typed during the request stays, unsaved.
 */
export function adoptSaved<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  sent: Values,
  stored: Values,
): void {
  const now = form.getValues();
  const typed = Object.entries(now).filter(([field, value]) => !isSame(value, sent[field]));
  form.setValues({ ...stored, ...Object.fromEntries(typed) });
  form.resetDirty(stored);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Zod's own messages are for programmers; people see only the contract's messages. */
const ZODS_OWN = /^(Invalid|Too (big|small)|Unrecognized)/;

/**
 * A form that validates on input and on blur, shows the server's errors at their fields, and survives the end of the
 * user's session.
 */
export function useValidForm<Values extends Record<string, unknown>>(setup: FormSetup<Values>) {
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: setup.initial,
    validateInputOnChange: true,
    validateInputOnBlur: true,
    validate: (values) => findErrors(values, setup),
  });
  useKeptForm(form);
  const onSubmit: typeof form.onSubmit = (save, refuse = goToWrong) => form.onSubmit(save, refuse);
  return { ...form, onSubmit };
}

/** Focuses the first invalid field once it is marked, so that nobody has to look for it. */
function goToWrong(_errors: unknown, _values: unknown, event?: SyntheticEvent): void {
  const form = event?.target as HTMLElement | undefined;
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}

function findErrors<Values>(values: Values, { schema, labels, check }: FormSetup<Values>) {
  const errors: Record<string, string> = {};
  const result = schema?.safeParse(values);
  for (const issue of result?.success === false ? result.error.issues : []) {
    const path = issue.path.join('.');
    errors[path] ??= ZODS_OWN.test(issue.message) ? whatIsWrong(path, issue, labels) : issue.message;
  }
  return { ...errors, ...check?.(values) };
}

/** The maximum length if the value is too long, otherwise a field's default message. */
function whatIsWrong(path: string, issue: Issue, labels: Record<string, string>): string {
  const name = path.split('.')[0] ?? path;
  const field = labels[name] ?? name;
  const isTooLong = issue.code === 'too_big' && issue.origin === 'string';
  if (isTooLong) return t('form.tooLong', { field, count: Number(issue.maximum) });
  return t('form.notValid', { field });
}

/** Shows the server's errors for single fields. True if there were any, so that no toast is needed. */
export function showFieldErrors<Values>(form: UseFormReturnType<Values>, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.errors.length === 0) return false;
  const fields = Object.keys(form.getValues() as Record<string, unknown>);
  const known = error.errors.filter(({ path }) => fields.includes(path.split('.')[0] ?? ''));
  form.setErrors(Object.fromEntries(known.map(({ path, message }) => [path, message])));
  return known.length > 0;
}

/** The current values of fields that had changed since they were read; undefined for other failures. */
export function standing(error: unknown): Record<string, unknown> | undefined {
  if (!(error instanceof ApiError && error.code === 'resource/conflict' && error.errors.length > 0))
    return undefined;
  return Object.fromEntries(error.errors.map(({ path, now }) => [path, now]));
}
