import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef, type SyntheticEvent } from 'react';
import { ApiError } from '../../contract/client.ts';
import { useKeptForm } from './kept-form.ts';
import { t } from '../messages/t.ts';

interface Issue {
  path: readonly PropertyKey[];
  message: string;
  /** `too_big`: the field holds more than `maximum`, of what `origin` says. */
  code?: string | undefined;
  origin?: string;
  maximum?: number | bigint;
}

/** As much of a zod schema as a form needs. */
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
  /** The schema that the server judges by, for the fields of this form. */
  schema?: Schema;
  /** What a person calls each field. */
  labels: Record<keyof Values & string, string>;
  /** Checks beyond the schema: the messages by field. */
  check?: (values: Values) => Record<string, string>;
}

/**
 * Lets a form follow what is stored, which a restored version, another tab or another person may change, field by field as long as
 * nothing in it waits to be saved: what somebody is writing is never taken from them. What it answers tells, of each field, what was
 * stored when the change that stands in it was begun.
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
 * The fields in which something else stands than what was stored: what another person or another tab has saved in the rest since
 * this form was filled is not taken back by saving it.
 */
export function changedIn<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  values: Values,
): Partial<Values> {
  const changed = Object.entries(values).filter(([field]) => form.isDirty(field));
  return Object.fromEntries(changed) as Partial<Values>;
}

/**
 * What was sent is stored, perhaps in other words of the server: fields that still hold what was sent take those. What was typed
 * while it was on its way stays, and waits to be saved.
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

/** What zod says by itself is for programmers; only the contract's own sentences are shown to people. */
const ZODS_OWN = /^(Invalid|Too (big|small)|Unrecognized)/;

/**
 * A form that validates on input and on blur, shows the server's objections at their fields, and outlives the session of who fills
 * it in.
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

/** What is wrong first has the focus, once it is marked: nobody has to look for it. */
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

/** How long it may be where it is too long, else the default message of a field. */
function whatIsWrong(path: string, issue: Issue, labels: Record<string, string>): string {
  const name = path.split('.')[0] ?? path;
  const field = labels[name] ?? name;
  const isTooLong = issue.code === 'too_big' && issue.origin === 'string';
  if (isTooLong) return t('form.tooLong', { field, count: Number(issue.maximum) });
  return t('form.notValid', { field });
}

/** Shows what the server said about single fields. True when it said any such thing, so that no toast is needed. */
export function showFieldErrors<Values>(form: UseFormReturnType<Values>, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.errors.length === 0) return false;
  const fields = Object.keys(form.getValues() as Record<string, unknown>);
  const known = error.errors.filter(({ path }) => fields.includes(path.split('.')[0] ?? ''));
  form.setErrors(Object.fromEntries(known.map(({ path, message }) => [path, message])));
  return known.length > 0;
}
