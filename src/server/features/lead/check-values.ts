import { EmailAddress } from '../../../contract/common.ts';
import type { Lead, LeadField, LeadValues } from '../../../contract/lead.ts';
import { AppError, invalidField } from '../../app-error.ts';

/** The submitted values in the form's format; omitted fields are left out. Errors: 400 at the field. */
export function checkValues(form: LeadField[], given: LeadValues): Lead['values'] {
  const unknown = Object.keys(given).find((key) => !form.some((field) => field.key === key));
  if (unknown !== undefined) throw invalidField(`values.${unknown}`, 'The form has no such field.');
  return form.flatMap((field) => {
    const value = valueOf(field, Object.hasOwn(given, field.key) ? given[field.key] : undefined);
    if (value === '' && field.required) throw invalidIn(field, 'This is required.');
    return value === '' ? [] : [{ key: field.key, label: field.label, value }];
  });
}

/** As text; empty if omitted. A consent that wasn't given counts as omitted. */
function valueOf(field: LeadField, given: string | boolean | undefined): string {
  const { kind, choices } = field;
  const isConsent = kind === 'consent';
  if (given === undefined) return '';
  if (isConsent !== (typeof given === 'boolean')) throw invalidIn(field, 'Must be of another type.');
  if (typeof given === 'boolean') return given ? 'yes' : '';
  const value = given.trim();
  if (value === '') return '';
  const objection = objectionTo(kind, value, choices);
  if (objection !== undefined) throw invalidIn(field, objection);
  return value;
}

/** Where only the message is shown, it names the field it is about. */
function invalidIn({ key, label }: LeadField, message: string): AppError {
  return new AppError('request/invalid', `${label}: ${message}`, {
    errors: [{ path: `values.${key}`, message }],
  });
}

function objectionTo(kind: LeadField['kind'], value: string, choices: string[]): string | undefined {
  switch (kind) {
    case 'email':
      return EmailAddress.safeParse(value).success ? undefined : 'Must be an e-mail address.';
    case 'phone':
      return isPhone(value) ? undefined : 'Must be a phone number.';
    case 'number':
      return Number.isFinite(Number(value)) ? undefined : 'Must be a number.';
    case 'choice':
      return choices.includes(value) ? undefined : 'Must be one of the choices.';
    case 'text':
    case 'consent':
      return undefined;
  }
}

/** In any common notation; at least five digits. */
function isPhone(value: string): boolean {
  return /^\+?[\d\s()/.-]{5,40}$/.test(value) && value.replaceAll(/\D/g, '').length >= 5;
}
