import { Agent, type Client, type Dispatcher } from 'undici';
import { MODEL_ANSWER_MAX_BYTES, PROVIDER_CONNECT_TIMEOUT_MS } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import { Answer } from './answer.ts';
import { clientTo } from './connection.ts';
import { requestHeaders } from './headers.ts';
import { resolveBySystem, targetOf, type Resolve } from './target.ts';

/** What the AI SDK makes its requests with. */
export type Fetch = typeof globalThis.fetch;

/**
 * Requests to model providers. No redirects are followed, so a key reaches the address it was given for and no other; a
 * response ends at `MODEL_ANSWER_MAX_BYTES`. Errors: `egress/url-not-allowed`, `egress/failed`.
 */
export interface ModelFetch {
  /** To addresses the operator configured, or a provider's own: wherever they are, over pooled connections. */
  byOperator: Fetch;
  /** To an address that a person chose: it must be public, and gets a dedicated connection. */
  byPerson: Fetch;
  close: () => Promise<void>;
}

/**
 * Called for each chunk of the response to a request with this signal: libraries pass on neither comments nor pings,
 * and the signal is the only link to the asker that they give a `Fetch`.
 */
export const heard = new WeakMap<AbortSignal, () => void>();

interface Settings {
  /** As in `createEgress`. */
  allowedHosts: string[];
  /** For tests of name resolution; default: the system's resolver. */
  resolve?: Resolve;
}

/** Longer than any silence an agent may allow: the caller decides how long to wait. */
const SILENCE_MAX_MS = 310_000;
const limits = {
  connect: { timeout: PROVIDER_CONNECT_TIMEOUT_MS },
  headersTimeout: SILENCE_MAX_MS,
  bodyTimeout: SILENCE_MAX_MS,
} satisfies Client.Options;
/** How long idle connections to a provider are kept for reuse. */
const KEEP_ALIVE_MS = 30_000;

/** Sent explicitly, because a server that gets no preference may compress as it likes. */
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

export function createModelFetch({ allowedHosts, resolve = resolveBySystem }: Settings): ModelFetch {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const pool = new Agent({ ...limits, keepAliveTimeout: KEEP_ALIVE_MS });
  return {
    byOperator: async (input, init = {}) => {
      const url = new URL(addressOf(input));
      return send(pool, url, init, { ...headersOf(init), ...UNCOMPRESSED }, () => undefined);
    },
    byPerson: async (input, init = {}) => {
      const target = await targetOf(addressOf(input), allowed, resolve).catch(unreachable);
      init.signal?.throwIfAborted();
      const client = clientTo(target, limits);
      const end = () => void client.destroy().catch(() => undefined);
      const headers = { ...requestHeaders(headersOf(init)), ...UNCOMPRESSED };
      return send(client, target.url, init, headers, end);
    },
    close: () => pool.destroy(),
  };
}

/** `end` is called when the response is over, or if there is none. */
async function send(
  dispatcher: Dispatcher,
  url: URL,
  init: RequestInit,
  headers: Record<string, string>,
  end: () => void,
): Promise<Response> {
  try {
    const { body, contentType } = await bodyOf(init);
    init.signal?.throwIfAborted();
    const onPiece = init.signal ? heard.get(init.signal) : undefined;
    const answer = new Answer({ maxBytes: MODEL_ANSWER_MAX_BYTES, signal: init.signal, onPiece, onEnd: end });
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: init.method ?? 'GET',
      headers: contentType ? { ...headers, 'content-type': contentType } : headers,
      body,
    };
    dispatcher.dispatch(request, answer);
    return await answer.begun;
  } catch (error) {
    end();
    init.signal?.throwIfAborted();
    return unreachable(error);
  }
}

function addressOf(input: Parameters<Fetch>[0]): string {
  return typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
}

function headersOf({ headers }: RequestInit): Record<string, string> {
  const plain = headers && Object.getPrototypeOf(headers) === Object.prototype;
  return plain ? (headers as Record<string, string>) : Object.fromEntries(new Headers(headers));
}

/** A form is serialized with its boundary. */
async function bodyOf({
  body,
}: RequestInit): Promise<{ body: string | Buffer | null; contentType?: string }> {
  if (body === null || body === undefined || typeof body === 'string') return { body: body ?? null };
  const written = new Response(body);
  const contentType = written.headers.get('content-type');
  return { body: Buffer.from(await written.arrayBuffer()), ...(contentType ? { contentType } : {}) };
}

function unreachable(error: unknown): never {
  if (error instanceof AppError) throw error;
  throw new AppError('egress/failed', 'The service could not be reached.', { cause: error });
}
