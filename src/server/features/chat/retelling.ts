import type { ChatStreamEvent } from '../../../contract/chat.ts';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import { notFound } from '../../app-error.ts';
import type { VisitorCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { Answering } from './answering.ts';
import { askIn, openAgent } from './asking.ts';
import { takeMessage } from './limits.ts';
import { insertTold, lockTold, type Told } from './retelling-store.ts';
import * as store from './store.ts';
import type { StoredMessage } from './store.ts';
import { titleFrom } from './title.ts';

/** A question with its whole history, from a client that keeps its conversations itself. */
interface ToldQuestion {
  agentId: string;
  text: string;
  /** Oldest first. */
  said: Told[];
}

/** An answer in progress. */
interface ToldAnswer {
  messageId: string;
  conversationId: string;
  createdAt: Date;
  /** All events from the first one, on each call. */
  follow: () => AsyncGenerator<ChatStreamEvent>;
  /** In its final stored form. */
  done: Promise<StoredMessage>;
}

/**
 * Asks an agent like anyone else: limits, passages, credits and receipt are the same. The question continues the
 * conversation that matches the history, or else starts a new one with it, so that members can read what the agent was
 * shown. As everywhere, only the end of a long conversation counts. The answer is stopped when `signal` is aborted.
 * Errors: 404, 402 without credits, 429.
 */
export function retellingIn(deps: Deps, answering: Answering) {
  return async (caller: VisitorCaller, told: ToldQuestion, signal: AbortSignal): Promise<ToldAnswer> => {
    const { organizationId } = caller;
    const turn = await deps.db.in({ organizationId }, async (tx) => {
      const agent = await openAgent(tx, organizationId, told.agentId, caller);
      await takeMessage(tx, caller, agent);
      const { id } = await conversationFor(tx, caller, told);
      const asked = { text: told.text, attachments: [], authorId: null, sendKey: null };
      return askIn(deps, tx, caller, id, asked);
    });
    const { live, done } = answering.start(turn, caller);
    const stop = () => live.abort.abort('stopped');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const { id: messageId, conversationId, createdAt } = turn.answer;
    const stored = done.then(async () => {
      const read = (tx: Tx) => store.findMessage(tx, organizationId, messageId);
      const found = await deps.db.in({ organizationId }, read);
      if (!found) throw notFound();
      return found;
    });
    // Callers that only follow the events see a failure there.
    stored.catch(() => undefined);
    return { messageId, conversationId, createdAt, follow: () => live.follow(), done: stored };
  };
}

async function conversationFor(
  tx: Tx,
  { organizationId, userId }: VisitorCaller,
  { agentId, text, said }: ToldQuestion,
): Promise<store.ConversationKey> {
  const end = said.slice(-HISTORY_MAX_MESSAGES);
  const known = end.length > 0 ? await lockTold(tx, { organizationId, agentId, userId }, end) : undefined;
  if (known) return known;
  const begun = await store.insertConversation(tx, {
    organizationId,
    agentId,
    userId,
    title: titleFrom(end.find(({ role }) => role === 'user')?.text ?? text),
    kind: 'chat',
    temporary: false,
    agentVersion: null,
    page: null,
    dryRun: false,
  });
  await insertTold(tx, begun, end);
  return begun;
}
