import type { UseFormReturnType } from '@mantine/form';
import { ApiError } from '../../../contract/client.ts';
import { fieldErrorsOf } from './site-values.ts';

/**
 * Shows what the server said about parts of an item at the fields that hold them; false when there was nothing of that kind.
 * `linksField`: the field that holds its addresses. That one of them could not be reached is said there as well.
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
