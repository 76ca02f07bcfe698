import { LeadForm, type LeadField } from '../../../contract/lead.ts';

/** As form values: choices one per line. */
type FieldValues = Omit<LeadField, 'choices'> & { choices: string };

export interface LeadFormValues extends Record<string, unknown> {
  form: FieldValues[];
}

export function valuesOf(form: readonly LeadField[]): LeadFormValues {
  return { form: form.map((field) => ({ ...field, choices: field.choices.join('\n') })) };
}

/** The value to send. */
export function formOf({ form }: LeadFormValues): LeadField[] {
  return form.map((field) => ({
    ...field,
    key: field.key.trim(),
    label: field.label.trim(),
    choices: field.kind === 'choice' ? linesOf(field.choices) : [],
  }));
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** The contract's schema; errors about the whole form appear at its last field. */
export const schema = {
  safeParse: (values: unknown) => {
    const given = values as LeadFormValues;
    const result = LeadForm.safeParse(formOf(given));
    if (result.success) return { success: true } as const;
    const last = [Math.max(0, given.form.length - 1), 'key'];
    const issues = result.error.issues.map(({ path, message }) => ({
      path: ['form', ...(path.length > 0 ? path.slice(0, 2) : last)],
      message,
    }));
    return { success: false, error: { issues } } as const;
  },
};

/** A new field with an unused key. */
export function nextField(form: readonly FieldValues[]): FieldValues {
  const keys = new Set(form.map(({ key }) => key));
  let number = form.length + 1;
  while (keys.has(`field${number}`)) number += 1;
  return { key: `field${number}`, label: '', kind: 'text', required: false, choices: '' };
}
