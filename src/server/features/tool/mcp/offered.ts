import { AppError } from '../../../app-error.ts';
import type { Offered } from '../save.ts';
import { isSamePlace } from '../settings.ts';
import type { StoredTool } from '../store.ts';
import type { Mcp } from './mcp.ts';

/**
 * What the server of a tool about to change says it can do. If each person signs in, the server is asked with this
 * person's account, which is valid for the tool as it was; without one, nothing is known of a different server yet, and
 * for the same server the known list stays (undefined).
 */
export async function offeredByServer(
  mcp: Pick<Mcp, 'offered'>,
  before: StoredTool,
  after: StoredTool,
  asked: { userId: string | undefined; signal: AbortSignal },
): Promise<Offered | undefined> {
  const ask = async () => ({ ...(await mcp.offered(after, asked)), servers: [], url: null });
  if (after.authentication.type !== 'authorizationCode') return ask();
  if (isSamePlace(before, after)) return ask().catch(unlessWithoutAccount);
  return before.serverUrl === after.serverUrl ? undefined : { operations: [], servers: [], url: null };
}

function unlessWithoutAccount(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'tool/account-needed') return undefined;
  throw error;
}
