import type { Authentication, CallPolicy } from '../../../contract/tool.ts';
import { AppError, invalidField } from '../../app-error.ts';
import type { StoredTool } from './store.ts';

/** Read-only calls need no approval until somebody says otherwise. */
export function usualPolicy(method: string): CallPolicy {
  return method === 'GET' || method === 'HEAD' ? 'allow' : 'ask';
}

/** The form in which addresses are compared and stored: normalized, without a trailing slash. */
export function normalAddress(address: string): string {
  return new URL(address).href.replace(/(?<!\/)\/+$/, '');
}

/** Settings with their address as it is stored. */
export function asStored<Given extends { serverUrl?: string | null | undefined }>(given: Given): Given {
  return given.serverUrl ? { ...given, serverUrl: normalAddress(given.serverUrl) } : given;
}

/** Errors: 400 for an address with a password, a query or a fragment, which would be lost or sent where they don't belong. */
export function requireAddress(field: string, address: string): void {
  const { username, password, search, hash } = new URL(address);
  if (username || password || search || hash)
    throw invalidField(field, 'Must not contain a password, a question mark or a #.');
}

type Addressed = Pick<StoredTool, 'serverUrl' | 'authentication'>;

/**
 * The sealed secret the tool has from now on; `given` null: none. Errors: `tool/secret-needed` if the stored one would
 * be sent to a place other than the one it was given for.
 */
export function secretAfter(
  before: StoredTool,
  after: Addressed,
  given: string | null | undefined,
  seal: (secret: string) => string,
): string | null {
  if (after.authentication.type === 'none' || given === null) return null;
  if (given !== undefined) return seal(given);
  if (before.secret !== null && !isSamePlace(before, after)) throw new AppError('tool/secret-needed');
  return before.secret;
}

/** Whether what was given for one is valid for the other: secrets, and end users' accounts. */
export function isSamePlace(before: Addressed, after: Addressed): boolean {
  return (
    before.serverUrl === after.serverUrl &&
    before.authentication.type === after.authentication.type &&
    tokenUrlOf(before.authentication) === tokenUrlOf(after.authentication) &&
    signInOf(before.authentication) === signInOf(after.authentication)
  );
}

function tokenUrlOf(authentication: Authentication): string | undefined {
  const { type } = authentication;
  return type === 'oauth2' || type === 'authorizationCode' ? authentication.tokenUrl : undefined;
}

/** Where end users agree, to what and for whom, and where it is revoked. */
function signInOf(authentication: Authentication): string | undefined {
  if (authentication.type !== 'authorizationCode') return undefined;
  const { authorizationUrl, clientId, resource = '', revocationUrl = '' } = authentication;
  return [authorizationUrl, clientId, resource, revocationUrl].join(' ');
}
