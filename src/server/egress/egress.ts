import {
  ATTACHMENT_MAX_BYTES,
  PAGE_MAX_BYTES,
  PAGE_MAX_REDIRECTS,
  PAGE_TIMEOUT_MS,
  SITEMAP_MAX_BYTES,
  TOOL_DOCUMENT_MAX_BYTES,
} from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import type { Log } from '../log.ts';
import { readBody } from './body.ts';
import { withAnswer } from './connection.ts';
import { headersForAnotherSite, requestHeaders, responseHeaders } from './headers.ts';
import { resolveBySystem, targetOf, type Resolve } from './target.ts';

const maxBytesOf = {
  page: PAGE_MAX_BYTES,
  sitemap: SITEMAP_MAX_BYTES,
  document: TOOL_DOCUMENT_MAX_BYTES,
  file: ATTACHMENT_MAX_BYTES,
};

export interface EgressOptions {
  /** Sent only to the URL's own site; after a redirect to another one, only headers that reveal nothing about the caller. */
  headers?: Record<string, string>;
  /** Ends the request; `fetch` then rejects with its reason. */
  signal?: AbortSignal;
  /** Determines the size limit; default: a page. */
  kind?: keyof typeof maxBytesOf;
  /** Can lower the kind's limit, not raise it. */
  maxBytes?: number;
  /** For name resolution, redirects and the body in total. Can lower the limit, not raise it. */
  timeoutMs?: number;
}

export interface EgressResponse {
  /** Anything but a redirect that could be followed; a 404 is a response too. */
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** The address that responded, after redirects. */
  url: string;
  /** Decompressed. */
  body: Buffer;
  /** As sent by the site, including parameters; empty if it sends none. */
  contentType: string;
}

/**
 * The only way to an address that a person or a model chose. Nothing inside this machine or its network is ever
 * connected to, neither directly nor by redirect, name, or DNS rebinding; see `target.ts`. Errors:
 * `egress/url-not-allowed`, the same for everything that is blocked; `egress/failed` with a reason for people.
 */
export interface Egress {
  fetch(url: string, options?: EgressOptions): Promise<EgressResponse>;
}

interface Settings {
  /** The operator's exact `host:port` pairs that may be read although they aren't public. */
  allowedHosts: string[];
  log: Log;
  /** For tests of name resolution; default: the system's resolver. */
  resolve?: Resolve;
}

interface Request {
  url: string;
  headers: Record<string, string>;
  maxBytes: number;
  signal: AbortSignal;
}

export function createEgress({ allowedHosts, log, resolve = resolveBySystem }: Settings): Egress {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const follow = async (first: Request): Promise<EgressResponse> => {
    let request = first;
    for (let redirects = 0; redirects <= PAGE_MAX_REDIRECTS; redirects += 1) {
      const target = await before(request.signal, targetOf(request.url, allowed, resolve));
      const { signal, headers } = request;
      const result = await withAnswer(target, headers, signal, async ({ statusCode, headers, body }) => {
        const received = responseHeaders(headers);
        if (isRedirect(statusCode) && received['location']) return { next: received['location'] };
        const content = await readBody(body, received['content-encoding'] ?? '', request.maxBytes);
        return { response: responseOf(statusCode, received, target.url, content) };
      });
      if (result.response) return result.response;
      request = redirected(request, target.url, result.next);
    }
    throw new AppError('egress/failed', 'The site redirects too often.');
  };

  return {
    fetch: async (url, options = {}) => {
      const { headers, signal, kind = 'page', timeoutMs = PAGE_TIMEOUT_MS } = options;
      const maxBytes = maxBytesOf[kind];
      signal?.throwIfAborted();
      const deadline = AbortSignal.timeout(Math.min(timeoutMs, PAGE_TIMEOUT_MS));
      return follow({
        url,
        headers: requestHeaders(headers),
        maxBytes: Math.min(options.maxBytes ?? maxBytes, maxBytes),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      }).catch((error: unknown) => {
        signal?.throwIfAborted();
        const failure = deadline.aborted ? tooSlow() : explained(error);
        log.info({ host: URL.parse(url)?.host, err: failure }, 'an address could not be fetched');
        throw failure;
      });
    },
  };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function responseOf(status: number, headers: Record<string, string>, url: URL, body: Buffer): EgressResponse {
  return { status, headers, url: url.href, body, contentType: headers['content-type'] ?? '' };
}

/** Once a redirect has left the site, none of the caller's headers come back, not even for the first site. */
function redirected(request: Request, from: URL, location: string): Request {
  const next = URL.parse(location, from.href);
  if (!next) throw new AppError('egress/failed', 'The site redirects to an invalid address.');
  const headers = next.origin === from.origin ? request.headers : headersForAnotherSite(request.headers);
  return { ...request, url: next.href, headers };
}

/** A slow name server shares the overall timeout. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const end = Promise.withResolvers<never>();
  const stop = () => end.reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return Promise.race([work, end.promise]).finally(() => signal.removeEventListener('abort', stop));
}

function tooSlow(): AppError {
  return new AppError('egress/failed', 'The site took too long to answer.');
}

/** The error names ports, addresses and libraries; the person is only told what helps. */
function explained(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isNameless =
    error instanceof Error && 'code' in error && ['ENOTFOUND', 'EAI_AGAIN'].includes(String(error.code));
  return new AppError(
    'egress/failed',
    isNameless ? 'No site with this name exists.' : 'The site could not be reached.',
    { cause: error },
  );
}
