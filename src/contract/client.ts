import type { ErrorCode, FieldError, Problem } from './errors.ts';
import { pathParameters, type Contract, type InputOf, type OutputOf, type Route } from './route.ts';

/** Statuses that, outside a problem document, come from a proxy in front and not from the server. */
export const GATEWAY_STATUSES = [502, 503, 504];

/** Thrown by a failed call. `status` is 0 if there was no response at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly errors: FieldError[];
  readonly requestId: string;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'ApiError';
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
  }
}

export interface CallOptions {
  signal?: AbortSignal;
  headers?: Record<string, string>;
}

type Call<R> =
  Record<never, never> extends InputOf<R>
    ? (input?: InputOf<R>, options?: CallOptions) => Promise<OutputOf<R>>
    : (input: InputOf<R>, options?: CallOptions) => Promise<OutputOf<R>>;

export type Client<C extends Contract> = {
  readonly [A in keyof C]: { readonly [N in keyof C[A]]: Call<C[A][N]> };
};

/** What a call needs, and all that a page carries of the contract: no schemas. */
export type CallData = Pick<Route, 'method' | 'path' | 'carrier'>;
export type CallsOf<C> = { readonly [A in keyof C]: { readonly [N in keyof C[A]]: CallData } };

export interface ClientOptions {
  /** Origin of the server, without a trailing slash. Empty: the page's own origin. */
  baseUrl: string;
  /** Called before each request; undefined sends no `Authorization`. */
  token?: () => Promise<string | undefined> | string | undefined;
  /** Sent with every request: in the browser, the session's cookies. */
  fetch?: typeof fetch;
}

/** A typed function for each call of the contract. Every failure, including network failures, is an `ApiError`. */
export function createClient<C extends Contract>(calls: C | CallsOf<C>, options: ClientOptions): Client<C> {
  const areas = Object.entries<Readonly<Record<string, CallData>>>(calls).map(([area, calls]) => [
    area,
    Object.fromEntries(
      Object.entries(calls).map(([name, route]) => [
        name,
        async (input: Record<string, unknown> = {}, call: CallOptions = {}) => {
          const response = await send(route, input, options, call);
          return isJson(response) ? ((await response.json()) as unknown) : response.blob();
        },
      ]),
    ),
  ]);
  return Object.fromEntries(areas) as Client<C>;
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('json') ?? false;
}

/** Makes one call and returns its response once it is known to have succeeded; for streaming calls. */
export async function send(
  route: CallData,
  input: Record<string, unknown>,
  options: ClientOptions,
  call: CallOptions = {},
): Promise<Response> {
  const { url, body } = encode(route, input);
  const token = await options.token?.();
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  const request: RequestInit = { method: route.method, headers, credentials: 'same-origin' };
  if (body !== undefined) request.body = body;
  if (call.signal) request.signal = call.signal;
  let response: Response;
  try {
    response = await (options.fetch ?? fetch)(options.baseUrl + url, request);
  } catch (cause) {
    if (call.signal?.aborted) throw cause;
    throw unreached(0);
  }
  if (response.status !== 200) throw await readProblem(response);
  return response;
}

/** Splits the flat input into path, query and body. */
function encode(route: CallData, input: Record<string, unknown>): { url: string; body?: BodyInit } {
  const rest = { ...input };
  let url = route.path;
  for (const name of pathParameters(route.path)) {
    url = url.replace(`{${name}}`, encodeURIComponent(String(rest[name])));
    delete rest[name];
  }
  if (route.carrier === 'body') return { url, body: JSON.stringify(rest) };
  if (route.carrier === 'multipart') {
    const form = new FormData();
    form.set('media', rest['media'] as File);
    delete rest['media'];
    return { url: url + queryString(rest), body: form };
  }
  return { url: url + queryString(rest) };
}

function queryString(values: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) query.set(key, `${value as string | number | boolean}`);
  }
  const text = query.toString();
  return text ? `?${text}` : '';
}

async function readProblem(response: Response): Promise<ApiError> {
  const isProblem = response.headers.get('content-type')?.includes('application/problem+json');
  if (isProblem) return new ApiError((await response.json()) as Problem);
  if (GATEWAY_STATUSES.includes(response.status)) return unreached(response.status);
  return new ApiError(problemOf(response.status, 'server/error', `The server answered ${response.status}.`));
}

function unreached(status: number): ApiError {
  return new ApiError(problemOf(status, 'server/unavailable', 'The server could not be reached.'));
}

function problemOf(status: number, code: ErrorCode, detail: string): Problem {
  return { type: 'about:blank', title: detail, status, detail, code, requestId: '' };
}
