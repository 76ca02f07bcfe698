import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../../contract/client.ts';
import { fieldErrorsOf } from './site-values.ts';

/**
 * Shows the server's errors for parts of an item at their fields; false if there were none of that kind. `linksField`:
 * the field with the addresses. It also shows that one of them was unreachable.
 */
export function showItemErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  error: unknown,
  linksField = 'links',
): boolean {
  if (!(error instanceof ApiError)) return false;
  const errors = error.code.startsWith('egress/')
    ? { [linksField]: error.message }
    : fieldErrorsOf(error, Object.keys(form.getValues()), linksField);
  form.setErrors(errors);
  return Object.keys(errors).length > 0;
}
