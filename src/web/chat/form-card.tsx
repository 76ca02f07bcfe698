import {
  useEffect,
  useId,
  useRef,
  useState,
  type ChangeEvent,
  type ComponentProps,
  type SubmitEvent,
} from 'react';
import type { MessageToolCall } from '../../contract/chat.ts';
import { ApiError } from '../../contract/client.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { LeadField, LeadValues } from '../../contract/lead.ts';
import { LEAD_VALUE_MAX_CHARACTERS } from '../../contract/limits.ts';
import { keepDraft, readDraft } from './drafts.ts';
import { useParts } from './conversation-context.ts';
import { t } from './answer-text.ts';
import { readList } from './read-list.ts';
import style from './tool-calls.module.css';
import type { ShownMessage } from './types.ts';
import { useToolActs } from './use-tool-acts.ts';

interface CardProps {
  message: ShownMessage;
  call: MessageToolCall;
}

interface Kept {
  key: string;
  value: string | boolean;
}

const placeOf = (callId: string) => `form ${callId}`;

function keptValues(callId: string): LeadValues {
  const kept = readList<Kept>(readDraft(placeOf(callId)), 'key');
  return Object.fromEntries(kept.map(({ key, value }) => [key, value]));
}

function keepValues(callId: string, values: LeadValues): void {
  const kept = Object.entries(values).map(([key, value]) => ({ key, value }));
  keepDraft(placeOf(callId), kept.length > 0 ? JSON.stringify(kept) : '');
}

/** For a call that no longer asks for anything. */
export const forgetForm = (callId: string) => keepDraft(placeOf(callId), '');

/** A form that a call asks the person to fill in; they submit it, or decline. Entries survive a reload, like drafts. */
export function FormCard({ message, call }: CardProps) {
  const { chat } = useParts();
  const acts = useToolActs();
  const [values, setValues] = useState(() => keptValues(call.id));
  useEffect(() => keepValues(call.id, values), [call.id, values]);
  const [refused, setRefused] = useState<readonly FieldError[]>([]);
  const onRefused = (error: unknown) => {
    const errors = errorsOf(error);
    setRefused(errors);
    return call.form.some((field) => errorAt(field, errors));
  };
  const change = (key: string, value: string | boolean) => {
    setRefused([]);
    setValues({ ...values, [key]: value });
  };
  const canSay = chat.activity === 'idle';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void acts.submitForm(message, { callId: call.id, values, onRefused });
  };
  return (
    <section data-asks className={style['question']} aria-label={t('chat.form')}>
      <p className={style['summary']}>{t('chat.form')}</p>
      <form className={style['form']} onSubmit={submit}>
        {call.form.map((field) => (
          <Field
            key={field.key}
            field={field}
            value={values[field.key]}
            error={errorAt(field, refused)}
            onChange={(value) => change(field.key, value)}
          />
        ))}
        <p className={style['buttons']}>
          <button type="submit" className={style['allow']} disabled={!canSay}>
            {t('chat.formSend')}
          </button>
          <button
            type="button"
            className={style['deny']}
            disabled={!canSay}
            onClick={() => void acts.decide(message, call.id, 'deny')}
          >
            {t('chat.connectNot')}
          </button>
        </p>
      </form>
    </section>
  );
}

const errorsOf = (error: unknown) => (error instanceof ApiError ? error.errors : []);
const errorAt = ({ key }: LeadField, errors: readonly FieldError[]) =>
  errors.find(({ path }) => path === `values.${key}`);

interface FieldProps {
  field: LeadField;
  value: string | boolean | undefined;
  error: FieldError | undefined;
  onChange: (value: string | boolean) => void;
}

function Field({ field, value, error, onChange }: FieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null);
  useEffect(() => {
    if (error) input.current?.focus();
  }, [error]);
  const { label, kind, required } = field;
  const said = `${id}-said`;
  const shared = {
    id,
    ref: input,
    required,
    ...(error && { 'aria-invalid': true, 'aria-describedby': said }),
  };
  const text = typeof value === 'string' ? value : '';
  const change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
    onChange(event.currentTarget.value);
  return (
    <div className={style['asked']}>
      {kind === 'consent' ? (
        <label className={style['consent']}>
          <input
            {...shared}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      ) : (
        <label htmlFor={id}>{required ? label : t('chat.formOptional', { label })}</label>
      )}
      {kind === 'choice' && <Choice {...shared} choices={field.choices} value={text} onChange={change} />}
      {kind in inputs && (
        <input
          {...shared}
          {...inputs[kind as keyof typeof inputs]}
          maxLength={LEAD_VALUE_MAX_CHARACTERS}
          value={text}
          onChange={change}
        />
      )}
      {error && (
        <span id={said} className={style['refused']} role="alert">
          {error.message}
        </span>
      )}
    </div>
  );
}

function Choice({ choices, ...select }: ComponentProps<'select'> & { choices: string[] }) {
  return (
    <select {...select}>
      <option value="">{t('chat.formChoose')}</option>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  );
}

const inputs = {
  text: { type: 'text' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  number: { type: 'number', step: 'any' },
} as const;
