import * as z from 'zod';
import { notValid } from './error.ts';

/** The formats of environment values, with error messages for the operator. */

export const whole = (min: number, max: number) => {
  const error = `Must be a whole number from ${min} to ${max}.`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};

export const number = (min: number, max: number) => {
  const error = `Must be a number from ${min} to ${max}.`;
  return z.coerce.number({ error }).min(min, { error }).max(max, { error });
};

export const webAddress = (like = 'https://api.example.com') =>
  z.url({ protocol: /^https?$/, error: `Must be an address like ${like}.`, abort: true });

/** An origin that people open, as browsers write it: everything is served at its root. */
export const origin = (like: string) =>
  webAddress(like)
    .refine((url) => /^[^/]*\/\/[^/?#]*\/*$/.test(url), `Must be an address like ${like}, without a path.`)
    .transform((url) => new URL(url).origin);

export const secretText = (length: number) =>
  z.string().min(length, `Must have at least ${length} characters, like those of openssl rand -hex 32.`);

/** A key as services take it, in a header; others come from copying a shortened one, like sk-…abcd. */
export const serviceKey = () =>
  z.string().regex(/^[!-~]+$/, 'Must not contain spaces or special characters.');

function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

export const oneOf = <T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, { error: `Must be one of ${values.join(', ')}.` });

/** Most addresses that look right and are not have a password that was made by a generator. */
const encoded = 'Characters like # or / in the password are written percent-encoded: %23, %2F.';

/** The form that `pg` reads: the host may be missing, for a socket named in the query. */
export const database = () =>
  z
    .string()
    .refine(
      (url) =>
        /^(postgres|postgresql|socket):/.test(url) &&
        (URL.canParse(url) || URL.canParse(url.replace('@/', '@socket/'))),
      `Must be postgres://user:password@host:5432/database. ${encoded}`,
    );

export const redisServer = () =>
  z.url({ protocol: /^rediss?$/, error: `Must be redis://… or rediss://…. ${encoded}` });

export const mailServer = () =>
  z.url({ protocol: /^smtps?$/, hostname: /./, error: `Must be smtp://… or smtps://…. ${encoded}` });

export const sender = () =>
  z
    .string()
    .regex(
      /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'Must be an address, or a name with one, like Parley <parley@example.com>.',
    );

/** A value in another form would be accepted and never match anything. */
const listOf = (isOne: (part: string) => boolean, words: string) =>
  z
    .string()
    .default('')
    .transform(list)
    .superRefine((parts, context) => {
      for (const part of parts)
        if (!isOne(part)) context.addIssue({ code: 'custom', message: `${part} is not ${words}.` });
    });

const PORT_MAX = 65_535;

export const hostPorts = () =>
  listOf((part) => {
    const [, port] = /^(?:\[[\da-f:.]+\]|[^\s:/[\]@]+):(\d{1,5})$/i.exec(part) ?? [];
    return port !== undefined && Number(port) <= PORT_MAX;
  }, 'of the form host:port');

export const proxies = () =>
  listOf(isProxy, 'an address, a range like 10.0.0.0/8, or one of loopback, linklocal, uniquelocal');

const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const isProxy = (part: string): boolean =>
  /^(loopback|linklocal|uniquelocal)$/.test(part) || address.safeParse(part).success;

/** Errors: `ConfigError` for a model whose provider isn't configured: another would silently answer instead. */
export function defaultModelOf(name: string | undefined, providers: object): string | undefined {
  if (name === undefined || name === 'parley/extractive') return name;
  const [, provider] = /^([a-z]+)\/.+$/.exec(name) ?? [];
  const refuse = (words: string) => notValid(`DEFAULT_MODEL: ${words}`);
  if (provider === undefined) throw refuse('write provider/model, like openai/gpt-5-mini.');
  if (!(provider in providers)) throw refuse(`${name} is of a provider that is not configured.`);
  return name;
}

/** Errors: `ConfigError` for anything but JSON of that form; `like` is an example. */
export function jsonOf<T>(
  text: string,
  form: z.ZodType<T>,
  { name, like }: Record<'name' | 'like', string>,
): T {
  const parsed = form.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw notValid(
    ...parsed.error.issues.map(({ code, path, message }) =>
      code === 'invalid_type' && path.length === 0
        ? `${name}: Must be JSON like ${like}.`
        : [name, ...(path.length > 0 ? [path.join('.')] : []), message].join(': '),
    ),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
