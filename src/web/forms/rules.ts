const ADDRESS = /^[^\s@,]+@[^\s@,.]+(\.[^\s@,.]+)+$/;

/** Form rules that aren't schemas of the contract. Each returns whether the value passes. */

/** Fails on null, empty arrays and blank strings; false counts as an answer unless `allowFalse` is false. */
export function required(value: unknown, { allowFalse = true } = {}): boolean {
  if (value === null || value === undefined) return false;
  if (value === false) return allowFalse;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== 'string' || value.trim() !== '';
}

/** An email address; with `multiple`, a comma-separated list of them. An empty value passes: that is for `required`. */
export function email(value: string, { multiple = false } = {}): boolean {
  if (value.trim() === '') return true;
  const addresses = multiple ? value.split(',') : [value];
  return addresses.every((address) => ADDRESS.test(address.trim()));
}
