const ADDRESS = /^[^\s@,;]+@[^\s@,;.]+(\.[^\s@,;.]+)+$/;

/** Form rules that aren't schemas of the contract. Each returns whether the value passes. */

/** Fails on null, empty arrays and blank strings; false counts as an answer unless `allowFalse` is false. */
export function required(value: unknown, { allowFalse = true } = {}): boolean {
  if (value === null || value === undefined) return false;
  if (value === false) return allowFalse;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'string' || value.trim() !== '';
}

/** An email address; with `multiple`, a list of them. An empty value passes: that is for `required`. */
export function email(value: string, { multiple = false } = {}): boolean {
  if (value.trim() === '') return true;
  const addresses = multiple ? listed(value) : [value];
  return addresses.every((address) => ADDRESS.test(address.trim()));
}

/** As people type and paste them: separated by commas, by semicolons as in Outlook, or on lines of their own. */
function listed(addresses: string): string[] {
  const lines = addresses.split('\n').map((line) => line.trim().replace(/[,;]$/, ''));
  return lines.filter((line) => line !== '').flatMap((line) => line.split(/[,;]/));
}
