import type { Response } from 'light-my-request';
import * as z from 'zod';
import { errorTable, type ErrorCode } from '../../src/contract/errors.ts';
import type { Route } from '../../src/contract/route.ts';
import { foreignInstructions, outsiders, privateOf, type Fixture } from './fixture.ts';
import { routes, type FuzzRequest, type Step } from './requests.ts';

/** What must hold for every response, whatever the request and the caller. */

export const SLOW_MS = 2000;

/** A status above 500 is only allowed to say that somebody else's service is unavailable, and which. */
const elsewhere: ErrorCode[] = [
  'auth/provider-unavailable',
  'egress/failed',
  'channel/unavailable',
  'payment/unavailable',
  'model/unavailable',
];

const FieldError = z
  .strictObject({ path: z.string(), message: z.string(), now: z.unknown() })
  .partial({ now: true });

const Problem = z.strictObject({
  type: z.string(),
  title: z.string().min(1),
  status: z.int(),
  detail: z.string().min(1),
  code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
  errors: z.array(FieldError).optional(),
  requestId: z.string().startsWith('req_'),
});

/** Parts of a stack trace, a statement, or the database: nobody outside may see the internals. */
const inside =
  /\n\s+at \S.*:\d+:\d+|\.ts:\d+:\d+|node_modules|Failed query|syntax error at or near|duplicate key value|violates \w+ constraint|relation "\w+" does not|SQLSTATE|ECONNREFUSED/;

const always = [
  'x-request-id',
  'x-content-type-options',
  'referrer-policy',
  'content-security-policy',
  'permissions-policy',
];

function problemsOfFailure({ statusCode, headers, body }: Response): string[] {
  if (!String(headers['content-type']).startsWith('application/problem+json'))
    return [`${statusCode} is no problem document: ${String(headers['content-type'])}`];
  const read = Problem.safeParse(parsed(body));
  if (!read.success) return [`the problem document is not well formed: ${z.prettifyError(read.error)}`];
  const { code, status, errors = [] } = read.data;
  if (status !== 409 && errors.some((error) => 'now' in error)) return [`${status} with a current value`];
  if (status !== statusCode || errorTable[code][0] !== statusCode)
    return [`${code} with the status ${statusCode}`];
  if (statusCode === 429 && headers['retry-after'] === undefined)
    return ['429 does not say when to come again'];
  return statusCode >= 500 && !elsewhere.includes(code) ? [`${statusCode} ${code}`] : [];
}

function problemsOfSuccess(route: Route, { statusCode, headers, body }: Response): string[] {
  if (statusCode === 302) return [];
  if (statusCode !== 200) return [`an answer with the status ${statusCode}`];
  const type = String(headers['content-type']);
  if (route.produces) return type.startsWith(route.produces) ? [] : [`${type} in place of ${route.produces}`];
  if (type.startsWith('text/event-stream')) return route.streams ? [] : ['a stream that was not declared'];
  const read = (route.output as unknown as z.ZodType).safeParse(parsed(body));
  return read.success ? [] : [`the answer is outside of its schema: ${z.prettifyError(read.error)}`];
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Secrets the response reveals. What the request itself contained is no leak. */
function leaksOf(step: Step, request: FuzzRequest, response: Response, fixture: Fixture): string[] {
  const told = `${response.body}\n${JSON.stringify(response.headers)}`;
  const asked = `${request.url}\n${request.payload?.toString() ?? ''}`;
  const tells = (text: string) => told.includes(text) && !asked.includes(text);
  const shown = step.call === 'webhook.secret' && response.statusCode === 200;
  const secrets = shown ? [] : fixture.canaries.filter(tells).map((canary) => `a secret: ${canary}`);
  const others = outsiders.includes(step.caller) ? fixture.world : fixture.world.foreign;
  const ids = privateOf(others)
    .filter(tells)
    .map((id) => `an id of the other organization: ${id}`);
  const instructions =
    !outsiders.includes(step.caller) && tells(foreignInstructions)
      ? ['instructions of the other organization']
      : [];
  const made = inside.exec(told)?.[0];
  return [
    ...secrets,
    ...ids,
    ...instructions,
    ...(made && !asked.includes(made) ? [`how it is made: ${made}`] : []),
  ];
}

/** Everything wrong with a response, in words; empty if nothing is. */
export function faultsOf(step: Step, request: FuzzRequest, response: Response, fixture: Fixture): string[] {
  const route = routes.get(step.call) as Route;
  const missing = always.filter((name) => response.headers[name] === undefined).map((name) => `no ${name}`);
  const own = response.statusCode >= 400 ? problemsOfFailure(response) : problemsOfSuccess(route, response);
  const polluted =
    Object.keys(Object.prototype).length > 0 ? ['the prototype of every object was changed'] : [];
  return [...own, ...missing, ...leaksOf(step, request, response, fixture), ...polluted];
}
