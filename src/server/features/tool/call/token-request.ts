import { TOOL_CALL_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { AppError } from '../../../app-error.ts';
import type { Fetch } from '../../../egress/model-fetch.ts';
import { basic } from './authenticate.ts';
import { readAnswer } from './read-answer.ts';

export interface TokenClient {
  tokenUrl: string;
  clientId: string;
  /** Null: a public client. */
  secret: string | null;
}

export interface GivenTokens {
  accessToken: string;
  refreshToken: string | null;
  /** Null if the service doesn't say. */
  lifetimeSeconds: number | null;
}

/** The service says that the grant it was shown is invalid, or no longer valid. */
export class GrantRefused extends Error {}

const refusals = ['invalid_grant', 'bad_refresh_token', 'bad_verification_code'];

/**
 * Requests a token from a service. An identity token in the response is ignored: whose account it is, is the service's
 * business. Errors: `GrantRefused`; `egress/failed` without the service's text, which may echo what it was sent.
 */
export async function requestToken(
  fetch: Fetch,
  { tokenUrl, clientId, secret }: TokenClient,
  grant: Record<string, string>,
): Promise<GivenTokens> {
  const isPublic = secret === null;
  const response = await fetch(tokenUrl, {
    method: 'POST',
    headers: clientHeaders({ clientId, secret }),
    body: new URLSearchParams({ ...grant, ...(isPublic ? { client_id: clientId } : {}) }).toString(),
    signal: AbortSignal.timeout(TOOL_CALL_TIMEOUT_MS),
  });
  const { text } = await readAnswer(response);
  const { access_token: token, refresh_token: refresh, expires_in: seconds, error } = objectIn(text);
  if (typeof error === 'string' && refusals.includes(error)) throw new GrantRefused();
  if (response.status !== 200 || !isToken(token))
    throw new AppError('egress/failed', `The service returned no token (${response.status}).`);
  return {
    accessToken: token,
    refreshToken: isToken(refresh) ? refresh : null,
    lifetimeSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : null,
  };
}

/** Headers of a form that a client sends; the client identifies itself here or, if public, in the form. */
export function clientHeaders({
  clientId,
  secret,
}: Pick<TokenClient, 'clientId' | 'secret'>): Record<string, string> {
  const plain = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  if (secret === null) return plain;
  return { ...plain, authorization: basic(encodeURIComponent(clientId), encodeURIComponent(secret)) };
}

/** Valid in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+$/.test(value);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
