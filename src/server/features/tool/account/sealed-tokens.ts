import type { Authentication } from '../../../../contract/tool.ts';
import { AppError } from '../../../app-error.ts';
import { accountOwner } from '../../../identity/sealed-owners.ts';
import type { Vault } from '../../../identity/secrets.ts';
import type { GivenTokens, TokenClient } from '../call/token-request.ts';
import type { StoredTool } from '../store.ts';
import type { StoredAccount } from './store.ts';

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** In milliseconds since 1970; null if the service did not say. */
  endsAt: number | null;
}

/** As the service issued them; if there is no new refresh token, the previous one stays in use. */
export function tokensOf(
  { accessToken, refreshToken, lifetimeSeconds }: GivenTokens,
  refreshBefore: string | null = null,
): Tokens {
  const endsAt = lifetimeSeconds === null ? null : Date.now() + lifetimeSeconds * 1000;
  return { accessToken, refreshToken: refreshToken ?? refreshBefore, endsAt };
}

export function sealed(vault: Vault, tool: StoredTool, accountId: string, tokens: Tokens): string {
  return vault.encrypt(JSON.stringify(tokens), ownerOf(tool, accountId));
}

/** Undefined for tokens issued for addresses other than the tool's, or to another client. */
export function opened(
  vault: Vault,
  tool: StoredTool,
  { id, tokens }: Pick<StoredAccount, 'id' | 'tokens'>,
): Tokens | undefined {
  try {
    return JSON.parse(vault.decrypt(tokens, ownerOf(tool, id))) as Tokens;
  } catch {
    return undefined;
  }
}

function ownerOf(tool: StoredTool, accountId: string): string {
  const { tokenUrl, clientId } = oauthOf(tool);
  return accountOwner(accountId, { serverUrl: tool.serverUrl, tokenUrl, clientId });
}

/** Errors: 400 for a tool where people have no accounts, or no longer have them. */
export function oauthOf({
  authentication,
}: Pick<StoredTool, 'authentication'>): Extract<Authentication, { type: 'authorizationCode' }> {
  if (authentication.type !== 'authorizationCode') throw new AppError('tool/login-refused');
  return authentication;
}

export function clientOf(vault: Vault, tool: StoredTool): TokenClient {
  const { tokenUrl, clientId } = oauthOf(tool);
  return { tokenUrl, clientId, secret: tool.secret === null ? null : vault.decrypt(tool.secret, tool.id) };
}

/** Sent with every token request, if the service tells its resources apart (RFC 8707). */
export function resourceOf(tool: StoredTool): { resource?: string } {
  const { resource } = oauthOf(tool);
  return resource === undefined ? {} : { resource };
}
