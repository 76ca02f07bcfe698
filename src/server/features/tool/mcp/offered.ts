import { AppError } from '../../../app-error.ts';
import type { Offered } from '../save.ts';
import { isSamePlace } from '../settings.ts';
import type { StoredTool } from '../store.ts';
import type { Mcp } from './mcp.ts';

/**
 * What the server of a tool that is about to change says that it can do. Where each person signs in it is asked with the
 * account of this one, which is good for the tool as it was; without one nothing is known of another server yet, and what is
 * known of the same one stays (undefined).
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
