import { createHash } from 'node:crypto';
import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { Tx } from '../../../db/scope.ts';
import { hashSecret, newSecret } from '../../../identity/secrets.ts';
import { newId } from '../../../id.ts';
import { GrantRefused, requestToken } from '../call/token-request.ts';
import type { StoredTool } from '../store.ts';
import { clientOf, oauthOf, resourceOf, sealed, tokensOf } from './sealed-tokens.ts';
import * as store from './store.ts';

/** Whose login, and for which waiting call; null for the login of a member who sets up the tool. */
export interface LoginKey {
  callId: string | null;
  userId: string;
}

/** How an end user connects an account: authorization code with PKCE, begun and finished by the same person for one call. */
export function loginsIn({ vault, services }: Pick<Deps, 'vault' | 'services'>) {
  return {
    has: async (tx: Tx, key: store.AccountKey): Promise<boolean> =>
      (await store.findAccount(tx, key)) !== undefined,

    /** The address where this person agrees. */
    begin: async (tx: Tx, tool: StoredTool, key: LoginKey, redirectUri: string): Promise<string> => {
      const [state, codeVerifier] = [newSecret(), newSecret()];
      const { organizationId, id: toolId } = tool;
      const stateHash = hashSecret(state);
      await store.insertLogin(tx, { ...key, stateHash, organizationId, toolId, codeVerifier });
      return addressOf(tool, { state, codeVerifier, redirectUri });
    },

    /** Takes the login with this state, which is valid for no other call or person, and only once. Errors: 400. */
    take: async (tx: Tx, tool: StoredTool, key: LoginKey, state: string): Promise<string> => {
      const { organizationId, id: toolId } = tool;
      const stateHash = hashSecret(state);
      const taken = await store.takeLogin(tx, { ...key, organizationId, toolId, stateHash });
      if (!taken) throw new AppError('tool/login-refused');
      return taken.codeVerifier;
    },

    /** What the service returns for a code, sealed. Errors: `auth/provider-refused`, `egress/failed`. */
    exchange: async (
      tool: StoredTool,
      { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
    ): Promise<{ id: string; tokens: string }> => {
      const given = await requestToken(services, clientOf(vault, tool), {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
        ...resourceOf(tool),
      }).catch(asRefusal);
      const id = newId('toolAccount');
      return { id, tokens: sealed(vault, tool, id, tokensOf(given)) };
    },

    keep: async (
      tx: Tx,
      { organizationId, id: toolId }: StoredTool,
      userId: string,
      account: { id: string; tokens: string },
    ): Promise<void> => store.putAccount(tx, { ...account, organizationId, toolId, userId }),
  };
}

export type Logins = ReturnType<typeof loginsIn>;

function addressOf(
  tool: StoredTool,
  { state, codeVerifier, redirectUri }: { state: string; codeVerifier: string; redirectUri: string },
): string {
  const { authorizationUrl, clientId, scope } = oauthOf(tool);
  const url = new URL(authorizationUrl);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scope ? { scope } : {}),
    ...resourceOf(tool),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url.href;
}

function asRefusal(error: unknown): never {
  throw error instanceof GrantRefused
    ? new AppError('auth/provider-refused', 'The service did not confirm the account.')
    : error;
}
