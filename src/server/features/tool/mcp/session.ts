import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { jsonSchemaValidator, JsonSchemaValidatorResult } from '@modelcontextprotocol/sdk/validation';
import { TOOL_CALL_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Fetch } from '../../../egress/model-fetch.ts';
import { authenticated, type Proof } from '../call/authenticate.ts';

/** A server's answers are not validated against its schemas: they are foreign programs. */
const believing: jsonSchemaValidator = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    }),
};

export interface Session {
  client: Client;
  options: { timeout: number; maxTotalTimeout: number; signal: AbortSignal };
}

/** The server denied access (401), so it has done nothing. */
export class NotLetIn extends AppError {
  constructor() {
    super('egress/failed', 'The server refused access (401).');
  }
}

/**
 * Connects to an MCP server over Streamable HTTP for one piece of work; the session ends with it. Errors:
 * `egress/failed`, also as `NotLetIn`.
 */
export async function inSession<T>(
  services: Fetch,
  serverUrl: string,
  { proof, signal }: { proof: Proof; signal: AbortSignal },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const plain = { method: 'POST', url: new URL(serverUrl), headers: {}, body: null };
  const { url, headers } = authenticated(plain, proof);
  const ended = new AbortController();
  const timeout = AbortSignal.timeout(TOOL_CALL_TIMEOUT_MS);
  const within = AbortSignal.any([signal, timeout, ended.signal]);
  let last: Response | undefined;
  const [{ Client }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers },
    fetch: async (input, init) => {
      const signals = init?.signal ? [init.signal, within] : [within];
      const response = await services(input, { ...init, signal: AbortSignal.any(signals) });
      if (init?.method === 'POST') last = response;
      return response;
    },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  const client = new Client({ name: 'parley', version: '1' }, { jsonSchemaValidator: believing });
  const options = { timeout: TOOL_CALL_TIMEOUT_MS, maxTotalTimeout: TOOL_CALL_TIMEOUT_MS, signal: within };
  try {
    await client.connect(transport, options);
    const result = await work({ client, options });
    await transport.terminateSession().catch(() => undefined);
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error, { serverUrl, last, isLate: timeout.aborted });
  } finally {
    await client.close().catch(() => undefined);
    ended.abort();
  }
}

const wrongTransport =
  'The address does not accept Streamable HTTP (405). Servers that support only the older MCP transport, SSE, cannot be used.';

/** The library's errors can contain what was sent; none of it is shown. */
function failureOf(
  error: unknown,
  { serverUrl, last, isLate }: { serverUrl: string; last: Response | undefined; isLate: boolean },
): AppError {
  const { status = 200 } = last ?? {};
  if (status === 401) return new NotLetIn();
  if (isLate) return tookTooLong();
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) return cause;
  if (status === 405) return new AppError('egress/failed', wrongTransport);
  if (status >= 400) return new AppError('egress/failed', `The server answered with an error (${status}).`);
  if (status >= 300) return new AppError('egress/failed', redirected(serverUrl, last));
  return new AppError('egress/failed', 'The server did not answer as an MCP server does.');
}

/** Many servers redirect `/mcp` to `/mcp/`. That isn't followed: it could lead a secret to another service. */
function redirected(serverUrl: string, response: Response | undefined): string {
  const location = response?.headers.get('location');
  const to = location ? URL.parse(location, serverUrl) : null;
  // Without the query, which could contain what was sent.
  const where = to ? ` to ${to.origin}${to.pathname}, so enter that address` : '';
  return `The server redirects (${response?.status})${where}.`;
}

export function tookTooLong(): AppError {
  return new AppError('egress/failed', `The server took longer than ${TOOL_CALL_TIMEOUT_MS / 1000} s.`);
}
