import { and, asc, eq, inArray } from 'drizzle-orm';
import type { MessageToolCall } from '../../../contract/chat.ts';
import type { LeadField } from '../../../contract/lead.ts';
import type { Authentication } from '../../../contract/tool.ts';
import { toolCall, tool } from '../../db/schema/index.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import { presentCall } from './tool-call.ts';
import type { ConversationKey } from './store.ts';

/** Every statement on an answer's calls. */

export type StoredCall = typeof toolCall.$inferSelect & {
  toolName: string;
  toolKind: typeof tool.$inferSelect.kind;
  authentication: Authentication;
  form: LeadField[];
};
export type NewCall = Omit<StoredCall, 'id' | 'createdAt' | 'agreed' | 'result' | 'status' | 'durationMs'>;
const ofTool = {
  toolName: tool.name,
  toolKind: tool.kind,
  authentication: tool.authentication,
  form: tool.form,
};
export type CallEnd = Pick<StoredCall, 'state' | 'result' | 'status' | 'durationMs'> &
  Partial<Pick<StoredCall, 'waitsFor'>>;

/** It never reached the service, and is made once the person has reconnected their account. */
export const untilConnected: CallEnd = {
  state: 'waiting',
  waitsFor: 'account',
  result: null,
  status: null,
  durationMs: null,
};

/** A message's calls in the order they were requested. */
export async function listCallsOf(tx: Tx, organizationId: string, messageId: string): Promise<StoredCall[]> {
  const rows = await tx
    .select({ call: toolCall, ...ofTool })
    .from(toolCall)
    .innerJoin(tool, and(eq(tool.id, toolCall.toolId), eq(tool.organizationId, toolCall.organizationId)))
    .where(and(eq(toolCall.organizationId, organizationId), eq(toolCall.messageId, messageId)))
    .orderBy(asc(toolCall.step), asc(toolCall.position));
  return rows.map(({ call, ...its }) => ({ ...call, ...its }));
}

/** The same for many messages, as their readers see them. */
export async function callsByMessage(
  tx: Tx,
  organizationId: string,
  messageIds: string[],
): Promise<Map<string, MessageToolCall[]>> {
  if (messageIds.length === 0) return new Map();
  const rows = await tx
    .select({ call: toolCall, ...ofTool })
    .from(toolCall)
    .innerJoin(tool, and(eq(tool.id, toolCall.toolId), eq(tool.organizationId, toolCall.organizationId)))
    .where(and(eq(toolCall.organizationId, organizationId), inArray(toolCall.messageId, messageIds)))
    .orderBy(asc(toolCall.step), asc(toolCall.position));
  const grouped = Map.groupBy(rows, ({ call }) => call.messageId ?? '');
  return new Map(
    [...grouped].map(([id, calls]) => [
      id,
      calls.map(({ call, ...its }) => presentCall({ ...call, ...its })),
    ]),
  );
}

/**
 * Records a call. Undefined if the same call was started earlier in this conversation; of any number of concurrent
 * ones, exactly one gets through.
 */
export async function insertCall(db: Database, call: NewCall): Promise<StoredCall | undefined> {
  const { toolName, toolKind, authentication, form, ...values } = call;
  const [made] = await db.in({ organizationId: call.organizationId }, (tx) =>
    tx
      .insert(toolCall)
      .values({ id: newId('toolCall'), ...values })
      .onConflictDoNothing()
      .returning(),
  );
  return made && { ...made, toolName, toolKind, authentication, form };
}

/** The call started earlier under this key in the conversation. */
export async function findOnce(
  db: Database,
  { organizationId, id }: ConversationKey,
  onceKey: string,
): Promise<CallEnd | undefined> {
  const { state, result, status, durationMs } = toolCall;
  const [found] = await db.in({ organizationId }, (tx) =>
    tx
      .select({ state, result, status, durationMs })
      .from(toolCall)
      .where(
        and(
          eq(toolCall.organizationId, organizationId),
          eq(toolCall.conversationId, id),
          eq(toolCall.onceKey, onceKey),
        ),
      ),
  );
  return found;
}

/** Starts an allowed call, once. False if it was already started, or the same call was made by another. */
export async function beginAllowed(
  db: Database,
  { organizationId, id }: Pick<StoredCall, 'organizationId' | 'id'>,
  onceKey: string | null,
): Promise<boolean> {
  try {
    const begun = await db.in({ organizationId }, (tx) =>
      tx
        .update(toolCall)
        .set({ state: 'running', onceKey })
        .where(
          and(
            eq(toolCall.id, id),
            eq(toolCall.organizationId, organizationId),
            eq(toolCall.state, 'allowed'),
          ),
        )
        .returning({ id: toolCall.id }),
    );
    return begun.length > 0;
  } catch (error) {
    if (isUniqueViolation(error, 'tool_call_once')) return false;
    throw error;
  }
}

/** A call's outcome. If nothing was sent, it can be made again, or waits. */
export async function endCall(
  db: Database,
  { organizationId, id }: Pick<StoredCall, 'organizationId' | 'id'>,
  end: CallEnd,
): Promise<void> {
  await db.in({ organizationId }, (tx) =>
    tx
      .update(toolCall)
      .set(end.state === 'refused' || end.state === 'waiting' ? { ...end, onceKey: null } : end)
      .where(and(eq(toolCall.id, id), eq(toolCall.organizationId, organizationId))),
  );
}

/** The person's decision on a call. False if it no longer waits. */
export async function decideCall(
  tx: Tx,
  { organizationId, id }: Pick<StoredCall, 'organizationId' | 'id'>,
  state: 'allowed' | 'denied',
): Promise<boolean> {
  const decided = await tx
    .update(toolCall)
    .set({ state, agreed: state === 'allowed' })
    .where(
      and(eq(toolCall.id, id), eq(toolCall.organizationId, organizationId), eq(toolCall.state, 'waiting')),
    )
    .returning({ id: toolCall.id });
  return decided.length > 0;
}

/** Their account is connected now: the call waits for the person's decision, or needs none. */
export async function settleAccount(
  tx: Tx,
  { organizationId, id }: Pick<StoredCall, 'organizationId' | 'id'>,
  state: 'waiting' | 'allowed',
): Promise<void> {
  await tx
    .update(toolCall)
    .set({ state, waitsFor: 'word' })
    .where(
      and(eq(toolCall.id, id), eq(toolCall.organizationId, organizationId), eq(toolCall.state, 'waiting')),
    );
}

/** What the person filled in, once per conversation. False if it no longer waits, or was done before. */
export async function fillIn(
  tx: Tx,
  { organizationId, id }: Pick<StoredCall, 'organizationId' | 'id'>,
  filled: Pick<StoredCall, 'state' | 'arguments' | 'result' | 'onceKey'>,
): Promise<boolean> {
  try {
    const done = await tx
      .update(toolCall)
      .set(filled)
      .where(
        and(eq(toolCall.id, id), eq(toolCall.organizationId, organizationId), eq(toolCall.state, 'waiting')),
      )
      .returning({ id: toolCall.id });
    return done.length > 0;
  } catch (error) {
    if (isUniqueViolation(error, 'tool_call_once')) return false;
    throw error;
  }
}
