import * as fc from 'fast-check';
import { pathParameters, type Route } from '../../src/contract/route.ts';
import { newId } from '../../src/server/id.ts';
import { idPrefixes, type IdKind } from '../../src/contract/id-format.ts';
import { calls } from '../access/calls.ts';
import type { Row } from '../access/expected.ts';
import { matrix } from '../access/matrix.ts';
import { callers, type CallerKind } from '../access/world.ts';
import { inputOf, type IdSource } from './arbitraries.ts';
import type { Fixture, FuzzCaller } from './fixture.ts';
import { change, changed, form, type Change, type Form } from './hostile.ts';

/** As sent over the network. */
export interface FuzzRequest {
  method: Route['method'];
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

/** A call in a sequence, before its IDs are known. */
export interface Step {
  call: string;
  caller: FuzzCaller;
  /** Null: the access matrix's input. */
  input: Record<string, unknown> | null;
  changes: readonly Change[];
  form: Form | null;
}

export const routes = new Map<string, Route>(calls);

/** Calls that leave less to test afterwards: included, but rarely. */
const endings =
  /signOut|remove|revoke|transfer|leave|erase|rotateApiKey|setRetention|deleteAccount|cancel|end$|discard/i;

/** Callers that get furthest are chosen most often. */
const mighty: FuzzCaller[] = ['owner', 'editor', 'outsider'];

const stepOf = (name: string, route: Route, who: readonly FuzzCaller[]): fc.Arbitrary<Step> =>
  fc.record({
    call: fc.constant(name),
    caller: fc.oneof(
      ...who.map((caller) => ({ weight: mighty.includes(caller) ? 4 : 1, arbitrary: fc.constant(caller) })),
    ),
    input: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: inputOf(route) }),
    changes: fc.oneof(
      { weight: 6, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
    ),
    form: fc.oneof({ weight: 10, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: form }),
  });

const sequences = new Map<string, fc.Arbitrary<Step[]>>();

/** Up to twenty calls in a row, each by any caller. Created once: reading all schemas takes as long as a hundred requests. */
export function sequenceOf(who: readonly FuzzCaller[]): fc.Arbitrary<Step[]> {
  const known = sequences.get(who.join());
  if (known) return known;
  const steps = calls.map(([name, route]) => ({
    weight: endings.test(name) ? 1 : 6,
    arbitrary: stepOf(name, route, who),
  }));
  const sequence = fc.array(fc.oneof(...steps), { minLength: 1, maxLength: 20, size: 'max' });
  sequences.set(who.join(), sequence);
  return sequence;
}

/** IDs by prefix: the fixture's, and those returned since the sequence began. */
export class Ids {
  readonly #own: Map<string, string[]>;
  readonly #foreign: Map<string, string[]>;
  readonly #seen = new Map<string, string[]>();

  constructor({ world }: Fixture) {
    const { foreign, ...own } = world;
    this.#own = byPrefix(JSON.stringify(own));
    this.#foreign = byPrefix(JSON.stringify(foreign));
  }

  remember(body: string): void {
    for (const [prefix, ids] of byPrefix(body))
      this.#seen.set(prefix, [...(this.#seen.get(prefix) ?? []), ...ids].slice(-16));
  }

  resolve(source: IdSource, prefix: string, index: number): string {
    const known = { own: this.#own, foreign: this.#foreign, seen: this.#seen, unknown: undefined }[
      source
    ]?.get(prefix);
    const ids = known ?? (source === 'seen' ? this.#own.get(prefix) : undefined) ?? [];
    return ids[index % Math.max(1, ids.length)] ?? unknownId(prefix);
  }
}

function byPrefix(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [id, prefix = ''] of text
    .slice(0, 200_000)
    .matchAll(/\b([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g))
    found.set(prefix, [...(found.get(prefix) ?? []), id]);
  return found;
}

function unknownId(prefix: string): string {
  const kind = (Object.keys(idPrefixes) as IdKind[]).find((kind) => idPrefixes[kind] === prefix);
  return newId(kind ?? 'agent');
}

function resolved(value: unknown, ids: Ids): unknown {
  if (typeof value === 'string')
    return value.replace(/«(\w+):([a-z]+):(\d+)»/g, (_all, source: IdSource, prefix: string, index: string) =>
      ids.resolve(source, prefix, Number(index)),
    );
  if (Array.isArray(value)) return value.map((item) => resolved(item, ids));
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, resolved(field, ids)]));
}

const asCaller = (caller: FuzzCaller): CallerKind => callers.find((kind) => kind === caller) ?? 'owner';

/** Each caller uses many addresses, so that per-address limits are hit now and then, not all the time. */
const addressOf = (index: number) => `10.${(index >> 14) & 255}.${(index >> 7) & 127}.${index & 127}`;

let sent = 0;

/** A step's request, as sent over the network. */
export async function requestOf(step: Step, fixture: Fixture, ids: Ids): Promise<FuzzRequest> {
  const route = routes.get(step.call) as Route;
  const row = (matrix as Record<string, Row>)[step.call];
  const { media, ...usual } = row?.input(fixture.world, asCaller(step.caller)) ?? {};
  const input = changed(resolved(step.input ?? usual, ids) as Record<string, unknown>, step.changes);
  const token = fixture.tokens[step.caller];
  sent += 1;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'x-forwarded-for': addressOf(sent),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const request = await encoded(route, input, headers, media as File | undefined);
  return step.form ? inForm(request, step.form) : request;
}

async function encoded(
  route: Route,
  input: Record<string, unknown>,
  headers: Record<string, string>,
  media: File | undefined,
): Promise<FuzzRequest> {
  const inPath = pathParameters(route.path);
  const url = inPath.reduce(
    (path, name) => path.replace(`{${name}}`, encodeURIComponent(asText(input[name]).toWellFormed())),
    route.path,
  );
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)));
  const { method } = route;
  if (route.carrier === 'body')
    return {
      method,
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(rest),
    };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) query.append(name, asText(each).toWellFormed());
  const address = query.size > 0 ? `${url}?${query}` : url;
  if (route.carrier !== 'multipart') return { method, url: address, headers };
  const form = new FormData();
  form.set('media', media ?? new File(['x'], 'x.txt'));
  const encodedForm = new Response(form);
  const type = encodedForm.headers.get('content-type') ?? '';
  const payload = Buffer.from(await encodedForm.arrayBuffer());
  return { method, url: address, headers: { ...headers, 'content-type': type }, payload };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}

function inForm(request: FuzzRequest, form: Form): FuzzRequest {
  const { headers, url } = request;
  if (form.kind === 'header') return { ...request, headers: { ...headers, [form.name]: form.value } };
  if (form.kind === 'body')
    return { ...request, headers: { ...headers, 'content-type': form.type }, payload: form.body };
  if (form.kind === 'path') return { ...request, url: url.replace(/(\?|$)/, `${form.text}$1`) };
  return { ...request, url: url + (url.includes('?') ? '&' : '?') + form.text };
}
