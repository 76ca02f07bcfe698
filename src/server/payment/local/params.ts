import * as z from 'zod';
import { type ApiError, invalid } from './api-error.ts';

/** The encoding of parameters in a form, where everything is text. */

const TEXT_MAX_CHARACTERS = 5000;
const AMOUNT_MAX = 99_999_999;
const METADATA_MAX_KEYS = 50;

export const word = z.string().max(TEXT_MAX_CHARACTERS);
export const id = z.string().min(1).max(255);
export const int = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number);
export const amount = int.pipe(z.number().min(0).max(AMOUNT_MAX));
export const count = int.pipe(z.number().min(1).max(100_000));
export const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,4})?$/, 'Invalid decimal')
  .transform(Number)
  .pipe(z.number().max(100));
export const flag = z.enum(['true', 'false'], 'Invalid boolean').transform((value) => value === 'true');
export const currency = z
  .string()
  .regex(/^[a-zA-Z]{3}$/, 'Invalid currency')
  .transform((code) => code.toLowerCase());
/** A redirect target, so nothing that would execute. */
export const address = z.url({ protocol: /^https?$/, error: 'Not a valid URL' }).max(TEXT_MAX_CHARACTERS);
export const metadata = z.union([
  z.literal('').transform(() => null),
  z
    .record(z.string().min(1).max(40), z.string().max(500))
    .refine((given) => Object.keys(given).length <= METADATA_MAX_KEYS, 'Too many keys'),
]);

/** What every request may contain. */
export const anything = { expand: z.array(z.string().max(200)).max(20).optional() };

export const listing = {
  ...anything,
  limit: int.pipe(z.number().min(1).max(100)).default(10),
  starting_after: id.optional(),
  ending_before: id.optional(),
};

/** The parsed parameters, or a Stripe-style error. */
export function readParams<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (!issue) throw invalid('', 'Invalid parameters');
  throw refusal(deepest(issue), given);
}

/** For a union, the alternative that got furthest provides the error. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.map(([first]) => first).filter((first) => first !== undefined);
  const last = inner.at(-1);
  return last ? deepest({ ...last, path: [...issue.path, ...last.path] }) : issue;
}

function refusal(issue: z.core.$ZodIssue, given: unknown): ApiError {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    return invalid(param, `Received unknown parameter: ${param}`, 'parameter_unknown');
  }
  const param = nameOf(issue.path);
  if (valueAt(given, issue.path) === undefined)
    return invalid(param, `Missing required param: ${param}.`, 'parameter_missing');
  return invalid(param, `Invalid ${param}: ${issue.message}`, codeOf(issue.message));
}

function codeOf(message: string): string {
  if (message === 'Invalid integer') return 'parameter_invalid_integer';
  return message === 'Not a valid URL' ? 'url_invalid' : 'parameter_invalid';
}

function nameOf([first = '', ...rest]: PropertyKey[]): string {
  return String(first) + rest.map((key) => `[${String(key)}]`).join('');
}

function valueAt(given: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  );
}

/** Sets single keys, or removes them if empty; an empty string instead of the object removes all. */
export function mergeMetadata(
  before: Record<string, string> | null,
  given: Record<string, string> | null | undefined,
): Record<string, string> {
  if (given === null) return {};
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''));
}
