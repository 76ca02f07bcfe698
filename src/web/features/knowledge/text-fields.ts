import { KNOWLEDGE_TEXT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { required } from '../../forms/rules.ts';

/** Layout of a field for a longer text. */
export const textField = { autosize: true, minRows: 8, maxRows: 20 } as const;

/** Error messages for fields that are blank or too long. */
export function checkTexts<Name extends string>(
  values: Record<Name, string>,
  labels: Record<Name, string>,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const name of Object.keys(labels) as Name[]) {
    if (!required(values[name])) errors[name] = t('form.notValid', { field: labels[name] });
    else if (values[name].length > KNOWLEDGE_TEXT_MAX_CHARACTERS)
      errors[name] = t('knowledge.tooLong', { most: formatNumber(KNOWLEDGE_TEXT_MAX_CHARACTERS) });
  }
  return errors;
}
