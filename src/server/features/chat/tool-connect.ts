import { AppError, notFound } from '../../app-error.ts';
import type { ChatCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findCallable, type StoredTool } from '../tool/store.ts';
import { inConversationToAsk, type Sent } from './asking.ts';
import { goOnWith, openCall, requireLast, type OpenCall } from './tool-decision.ts';
import { settleAccount, type StoredCall } from './tool-call-store.ts';
import { mayGoUnasked } from './tool-call.ts';
import type { Turn } from './turn-store.ts';

interface LoginKey {
  callId: string;
  userId: string;
}

/** End users' accounts at services; provided by the tool feature. */
export interface Connecting {
  has: (tx: Tx, key: { organizationId: string; toolId: string; userId: string }) => Promise<boolean>;
  begin: (tx: Tx, tool: StoredTool, key: LoginKey, redirectUri: string) => Promise<string>;
  /** Errors: `tool/login-refused`. */
  take: (tx: Tx, tool: StoredTool, key: LoginKey, state: string) => Promise<string>;
  /** Errors: `auth/provider-refused`, `egress/failed`. */
  exchange: (
    tool: StoredTool,
    answer: { code: string; codeVerifier: string; redirectUri: string },
  ) => Promise<{ id: string; tokens: string }>;
  keep: (tx: Tx, tool: StoredTool, userId: string, account: { id: string; tokens: string }) => Promise<void>;
}

/** Which call, and where the service sends the person back. */
interface Wanted {
  conversationId: string;
  messageId: string;
  callId: string;
  redirectUri: string;
}

/** The address where the person gives consent; null if their account is already connected. Errors: 404, 409. */
export async function beginAccount(
  deps: Deps,
  accounts: Connecting,
  caller: ChatCaller,
  wanted: Wanted,
): Promise<string | null> {
  const { conversationId, callId, redirectUri } = wanted;
  const { userId } = caller;
  return inConversationToAsk(deps, caller, conversationId, async (tx, open) => {
    const { call } = await openWaiting(tx, await openCall(tx, open, caller, wanted));
    const tool = await toolOf(tx, call);
    if (await accounts.has(tx, { ...call, userId })) return null;
    return accounts.begin(tx, tool, { callId, userId }, redirectUri);
  });
}

/**
 * Saves the service's response for the person who started this for this call, and lets the answer resume as far as
 * nobody has to be asked. Errors: 400 for a login not started this way, 409 if the call no longer waits.
 */
export async function finishAccount(
  deps: Deps,
  accounts: Connecting,
  caller: ChatCaller,
  wanted: Wanted & { state: string; code: string },
): Promise<Turn | Sent> {
  const { conversationId, callId, redirectUri, state, code } = wanted;
  const { userId } = caller;
  // Not in one transaction with what follows: a failed login stays used, and no lock is held while waiting for a
  // service.
  const { tool, codeVerifier } = await inConversationToAsk(deps, caller, conversationId, async (tx, open) => {
    const { call } = await openWaiting(tx, await openCall(tx, open, caller, wanted));
    const tool = await toolOf(tx, call);
    return { tool, codeVerifier: await accounts.take(tx, tool, { callId, userId }, state) };
  });
  const account = await accounts.exchange(tool, { code, codeVerifier, redirectUri });
  return inConversationToAsk(deps, caller, conversationId, async (tx, open) => {
    const found = await openWaiting(tx, await openCall(tx, open, caller, wanted));
    await accounts.keep(tx, await toolOf(tx, found.call), userId, account);
    const calls: StoredCall[] = [];
    for (const call of found.calls) calls.push(await settled(tx, call, found.call.toolId, calls));
    return goOnWith(deps, tx, { ...found, calls, caller });
  });
}

/** Every call of the answer that waits for this account. Calls allowed before the account was lost don't ask again. */
async function settled(tx: Tx, call: StoredCall, toolId: string, before: StoredCall[]): Promise<StoredCall> {
  if (call.state !== 'waiting' || call.waitsFor !== 'account' || call.toolId !== toolId) return call;
  const callable = await findCallable(tx, call);
  const policy = callable?.operation.policy ?? 'ask';
  const state = call.agreed || mayGoUnasked({ ...call, policy }, before) ? 'allowed' : 'waiting';
  await settleAccount(tx, call, state);
  return { ...call, state, waitsFor: 'word' };
}

async function openWaiting(tx: Tx, found: OpenCall): Promise<OpenCall> {
  if (found.call.state !== 'waiting' || found.call.waitsFor !== 'account')
    throw new AppError('tool/not-waiting');
  await requireLast(tx, found);
  return found;
}

async function toolOf(tx: Tx, call: StoredCall): Promise<StoredTool> {
  const found = await findCallable(tx, call);
  if (!found) throw notFound();
  return found.tool;
}
