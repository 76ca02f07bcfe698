import { TOOL_REVOCATION_TIMEOUT_MS } from '../../../../contract/limits.ts';
import type { Deps } from '../../../deps.ts';
import { clientHeaders } from '../call/token-request.ts';
import type { StoredTool } from '../store.ts';
import { clientOf, oauthOf, opened } from './sealed-tokens.ts';
import { findTool, listOwnAccounts, type StoredAccount } from './store.ts';

export type RevocationDeps = Pick<Deps, 'db' | 'vault' | 'services' | 'log'>;

/**
 * Tells the service that a person has removed their account here (RFC 7009), if its revocation address is known. It is
 * gone here whatever the service says; what the service doesn't revoke expires there by itself.
 */
export async function revokeAccount(
  { vault, services, log }: RevocationDeps,
  tool: StoredTool,
  account: StoredAccount,
): Promise<void> {
  const revocationUrl = tool.authentication.type === 'authorizationCode' && oauthOf(tool).revocationUrl;
  const tokens = revocationUrl ? opened(vault, tool, account) : undefined;
  if (!revocationUrl || !tokens) return;
  const client = clientOf(vault, tool);
  // Revoking the refresh token also revokes the access tokens it issued.
  const token = tokens.refreshToken ?? tokens.accessToken;
  try {
    const response = await services(revocationUrl, {
      method: 'POST',
      headers: clientHeaders(client),
      body: new URLSearchParams({
        token,
        ...(client.secret === null ? { client_id: client.clientId } : {}),
      }).toString(),
      signal: AbortSignal.timeout(TOOL_REVOCATION_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok)
      log.info({ toolId: tool.id, status: response.status }, 'an account could not be revoked');
  } catch {
    log.info({ toolId: tool.id }, 'an account could not be revoked');
  }
}

/** The same for all accounts of a person who leaves, or for those at one agent's tools. */
export function withdrawAccounts(deps: RevocationDeps) {
  return async (userId: string, agentId: string | null): Promise<void> => {
    for (const account of await deps.db.in({ userId }, (tx) => listOwnAccounts(tx, userId))) {
      const tool = await deps.db.in(account, (tx) => findTool(tx, account));
      if (tool && (agentId === null || tool.agentId === agentId)) await revokeAccount(deps, tool, account);
    }
  };
}
