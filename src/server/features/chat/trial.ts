import type { MessageState } from '../../../contract/chat.ts';
import { notFound } from '../../app-error.ts';
import type { UserCaller } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import type { Answering } from './answering.ts';
import { askIn } from './asking.ts';
import { isNoAnswer } from './no-answer.ts';
import { fallbackOf } from './prompt.ts';
import * as store from './store.ts';
import type { StoredMessage } from './store.ts';
import { listCallsOf, type StoredCall } from './tool-call-store.ts';

interface TrialRequest {
  organizationId: string;
  agentId: string;
  /** The agent's version. */
  version: number;
  question: string;
  /** Whose conversation it is. */
  userId: string;
}

interface Tried extends Pick<StoredMessage, 'text' | 'citations' | 'receipt' | 'error'> {
  state: MessageState;
  /** The agent said that it has no answer. */
  isRefusal: boolean;
  /** Its tool calls, made or waiting. */
  calls: Pick<StoredCall, 'operationId' | 'arguments'>[];
}

/**
 * Asks a version of an agent as an end user would, in a separate temporary conversation, and waits for the answer. The
 * caller has checked that the person may do this. Errors: 404, 402 without credits.
 */
export function trialsIn(deps: Deps, answering: Answering) {
  return async (request: TrialRequest, signal: AbortSignal): Promise<Tried> => {
    const { organizationId, agentId, version, question, userId } = request;
    const caller: UserCaller = { kind: 'user', userId, sessionId: '', isAnonymous: false, isMember: true };
    const turn = await deps.db.in({ organizationId, userId }, async (tx) => {
      const values = { organizationId, agentId, userId, title: '', kind: 'chat', temporary: true } as const;
      const conversation = await store.insertConversation(tx, {
        ...values,
        agentVersion: version,
        page: null,
        dryRun: true,
      });
      const asked = { text: question, attachments: [], authorId: null, sendKey: null };
      return askIn(deps, tx, caller, conversation.id, asked);
    });
    const { live, done } = answering.start(turn, caller);
    const stop = () => live.abort.abort('stopped');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const { id } = await done.finally(() => signal.removeEventListener('abort', stop));
    const { answer, calls } = await deps.db.in({ organizationId }, async (tx) => ({
      answer: await store.findMessage(tx, organizationId, id),
      calls: await listCallsOf(tx, organizationId, id),
    }));
    if (!answer) throw notFound();
    return { ...answer, calls, isRefusal: isNoAnswer(answer.text, fallbackOf(turn.agent)) };
  };
}
