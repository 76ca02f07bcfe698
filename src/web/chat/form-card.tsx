import { useEffect, useId, useState, type SubmitEvent } from 'react';
import type { MessageToolCall } from '../../contract/chat.ts';
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
  const canSay = chat.activity === 'idle';
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void acts.submitForm(message, call.id, values);
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
            onChange={(value) => setValues({ ...values, [field.key]: value })}
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

interface FieldProps {
  field: LeadField;
  value: string | boolean | undefined;
  onChange: (value: string | boolean) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const id = useId();
  const { label, kind, required } = field;
  if (kind === 'consent')
    return (
      <label className={style['consent']}>
        <input
          type="checkbox"
          required={required}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
    );
  const text = typeof value === 'string' ? value : '';
  return (
    <p className={style['asked']}>
      <label htmlFor={id}>{required ? label : t('chat.formOptional', { label })}</label>
      {kind === 'choice' ? (
        <select
          id={id}
          required={required}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{t('chat.formChoose')}</option>
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          {...inputs[kind]}
          required={required}
          maxLength={LEAD_VALUE_MAX_CHARACTERS}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </p>
  );
}

const inputs = {
  text: { type: 'text' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  number: { type: 'number', step: 'any' },
} as const;
