import type { answer as contract, AnswerReceipt } from '../../../contract/answer.ts';
import { isMemberWhoSees } from '../../access/gate.ts';
import { noConversation, notFound } from '../../app-error.ts';
import { callerId, type Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { usdOf } from '../../llm/price.ts';
import { findConversation, findConversationOfAgent, findMessage, type StoredMessage } from '../chat/store.ts';
import * as store from './store.ts';

export function answerHandlers({ db }: Deps): Handlers<typeof contract> {
  return {
    rate: async ({ id, messageId, rating, reason, comment }, caller) =>
      db.in({ conversationId: id, userId: caller.userId }, async (tx) => {
        const open = await findConversation(tx, id, caller.userId);
        if (!open) throw noConversation();
        const answer = requireAnswer(await findMessage(tx, open.conversation.organizationId, messageId), id);
        if (rating === null) await store.removeFeedback(tx, answer, caller.userId);
        else await store.putFeedback(tx, answer, caller.userId, { rating, reason: reason ?? null, comment });
        return { rating };
      }),

    /**
     * For any conversation with an agent the member can see: how it answers is theirs to know. A temporary one is only
     * for the person who started it.
     */
    receipt: async ({ id, messageId }, caller) =>
      db.in({ conversationId: id }, async (tx) => {
        const open = await findConversationOfAgent(tx, id);
        if (!open || !(await isMemberWhoSees(tx, open.agent, caller))) throw notFound();
        const { organizationId, temporary, userId } = open.conversation;
        if (temporary && userId !== callerId(caller)) throw notFound();
        const answer = requireAnswer(await findMessage(tx, organizationId, messageId), id);
        if (!answer.receipt) throw notFound();
        const ids = answer.receipt.passages.map(({ chunkId }) => chunkId);
        return { receipt: receiptOf(answer, await store.findPassages(tx, organizationId, ids)) };
      }),
  };
}

function requireAnswer(found: StoredMessage | undefined, conversationId: string): StoredMessage {
  if (found?.conversationId !== conversationId || found.role !== 'assistant') throw notFound();
  return found;
}

function receiptOf(
  { receipt, citations }: StoredMessage,
  passages: Map<string, { title: string; text: string }>,
): AnswerReceipt {
  if (!receipt) throw notFound();
  const cited = new Set(citations.map(({ chunkId }) => chunkId));
  const { costNanoUsd = null, ...made } = receipt;
  return {
    ...made,
    cachedTokens: receipt.cachedTokens ?? null,
    costUsd: costNanoUsd === null ? null : usdOf(BigInt(costNanoUsd)),
    failedModels: receipt.failedModels ?? [],
    agentVersion: receipt.agentVersion ?? null,
    query: receipt.query ?? null,
    credits: receipt.credits ?? null,
    tools: receipt.tools ?? [],
    passages: receipt.passages.map(({ chunkId, score }) => ({
      chunkId,
      score,
      title: passages.get(chunkId)?.title ?? null,
      text: passages.get(chunkId)?.text ?? null,
      cited: cited.has(chunkId),
    })),
  };
}
