import { AppError } from '../../../app-error.ts';
import type { Deps } from '../../../deps.ts';
import type { PersonalTokens } from '../call/proofs.ts';
import { GrantRefused, requestToken, type GivenTokens } from '../call/token-request.ts';
import type { StoredTool } from '../store.ts';
import { clientOf, opened, resourceOf, sealed, tokensOf } from './sealed-tokens.ts';
import * as store from './store.ts';

type Context = Pick<Deps, 'db' | 'vault' | 'services'>;

/** Renew tokens this long before they expire, so that none expires in flight. */
const MARGIN_MS = 30_000;

/**
 * The tokens of end users' accounts. An account a person connected is used for calls in that person's own answers only,
 * and its token is sent only to the addresses the tool had at the time. An account that can't be renewed is forgotten.
 */
export function createAccounts(deps: Context): PersonalTokens {
  const renewing = new Map<string, Promise<string>>();

  /** Concurrent calls make one request. */
  const renewOnce = (tool: StoredTool, userId: string, refused: string): Promise<string> => {
    const key = `${tool.id} ${userId} ${refused}`;
    const known = renewing.get(key);
    if (known) return known;
    const token = renew(deps, tool, userId, refused).finally(() => renewing.delete(key));
    renewing.set(key, token);
    return token;
  };

  return {
    tokenOf: async (tool, userId) => {
      const key = keyOf(tool, userId);
      const account = await deps.db.in(key, (tx) => store.findAccount(tx, key));
      const tokens = account && opened(deps.vault, tool, account);
      if (!tokens) return renewOnce(tool, userId, '');
      const isOver = tokens.endsAt !== null && tokens.endsAt - MARGIN_MS < Date.now();
      return isOver ? renewOnce(tool, userId, tokens.accessToken) : tokens.accessToken;
    },
    renew: renewOnce,
  };
}

/** The token that replaced `refused`, or a new one. The row is locked meanwhile, so only one process asks. */
async function renew(deps: Context, tool: StoredTool, userId: string, refused: string): Promise<string> {
  const { db, vault } = deps;
  const key = keyOf(tool, userId);
  const token = await db.in(key, async (tx) => {
    const account = await store.findAccount(tx, key, { lock: true });
    if (!account) return undefined;
    const now = opened(vault, tool, account);
    if (now && now.accessToken !== refused) return now.accessToken;
    const given = now?.refreshToken ? await refreshed(deps, tool, now.refreshToken) : undefined;
    if (given)
      await store.updateTokens(
        tx,
        key,
        sealed(vault, tool, account.id, tokensOf(given, now?.refreshToken ?? null)),
      );
    else await store.deleteAccount(tx, key);
    return given?.accessToken;
  });
  if (token === undefined) throw new AppError('tool/account-needed');
  return token;
}

/** Undefined: the service no longer knows this account. */
async function refreshed(
  { vault, services }: Context,
  tool: StoredTool,
  refreshToken: string,
): Promise<GivenTokens | undefined> {
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken, ...resourceOf(tool) };
  return requestToken(services, clientOf(vault, tool), grant).catch((error: unknown) => {
    if (error instanceof GrantRefused) return undefined;
    throw error;
  });
}

function keyOf({ organizationId, id: toolId }: StoredTool, userId: string): store.AccountKey {
  return { organizationId, toolId, userId };
}
