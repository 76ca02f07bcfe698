import type { Message } from '../../../contract/chat.ts';
import { HISTORY_MAX_MESSAGES, LEAST_SUPPORT } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import { EXTRACTIVE_MODEL } from '../../llm/models.ts';
import type { Receipt } from '../../db/schema/index.ts';
import type { Deps } from '../../deps.ts';
import { retrieve, vectorOf, type Retrieved } from '../knowledge/search.ts';
import { citable } from './citations.ts';
import { generate, nothingGenerated, type Generated } from './generate.ts';
import type { LiveAnswer } from './live.ts';
import { messageOf } from './present.ts';
import { fallbackOf, modelMessages, systemPrompt } from './prompt.ts';
import { createSaver } from './saver.ts';
import { settle, type Outcome } from './settle.ts';
import * as store from './store.ts';
import type { StoredMessage, Turn } from './store.ts';

/**
 * Makes an answer from end to end: passages, prompt, model, storage. Whatever goes wrong on the way, the answer is stored
 * as what it is, with what had come, and the reader is told: a conversation is never left waiting.
 */
export async function reply(deps: Deps, agent: Agent, turn: Turn, live: LiveAnswer): Promise<Message> {
  const started = performance.now();
  live.push({ type: 'data-message', data: messageOf(turn.question) });
  live.push({ type: 'start', messageId: turn.answer.id });
  const outcome = await make(deps, agent, turn, live, started).catch((error: unknown): Outcome => {
    deps.log.error({ err: error, messageId: turn.answer.id }, 'an answer could not be made');
    return {
      generated: nothingGenerated(),
      citations: [],
      receipt: receiptOf('none', nothingGenerated(), started, []),
    };
  });
  return settle(deps, turn.answer, live, outcome);
}

async function make(
  deps: Deps,
  agent: Agent,
  turn: Turn,
  live: LiveAnswer,
  started: number,
): Promise<Outcome> {
  const { retrieved, history } = await gather(deps, agent, turn);
  const citations = citable(retrieved.passages);
  live.push({ type: 'data-citations', data: citations });
  const { name, model } = deps.models.resolve(agent.modelSettings.model);
  // The built-in model knows nothing else either.
  const hasOnlyKnowledge = agent.enableKnowledgeBaseMode || name === EXTRACTIVE_MODEL;
  const isUnsupported = hasOnlyKnowledge && retrieved.support < LEAST_SUPPORT;
  const saver = createSaver(deps, turn.answer, live);
  const generated = await generate({
    model: isUnsupported ? fallbackOf(agent) : model,
    settings: agent.modelSettings,
    system: systemPrompt(agent, citations),
    messages: modelMessages(history, turn.question),
    signal: live.abort.signal,
    onDelta: saver.add,
    onPart: (event) => live.push(event),
    onError: (error) => deps.log.warn({ err: error, messageId: turn.answer.id, model: name }, 'model failed'),
  });
  await saver.finish();
  const receipt = receiptOf(isUnsupported ? 'none' : name, generated, started, retrieved.passages);
  return { generated, citations, receipt };
}

async function gather(
  deps: Deps,
  agent: Agent,
  { question }: Turn,
): Promise<{ retrieved: Retrieved; history: StoredMessage[] }> {
  const { organizationId, conversationId, sequence, text } = question;
  const conversation = { organizationId, id: conversationId };
  const history =
    sequence === 1
      ? []
      : await deps.db.in({ organizationId }, (tx) =>
          store.listHistory(tx, conversation, sequence, HISTORY_MAX_MESSAGES),
        );
  const asked = history
    .filter(({ role }) => role === 'user')
    .map((message) => message.text)
    .toReversed();
  const vector = await vectorOf(deps, organizationId, text, asked);
  const key = { organizationId, agentId: agent.id };
  const retrieved = await deps.db.in({ organizationId }, (tx) => retrieve(tx, key, text, asked, vector));
  return { history, retrieved };
}

function receiptOf(
  model: string,
  { inputTokens, outputTokens, firstTokenAt }: Generated,
  started: number,
  passages: Retrieved['passages'],
): Receipt {
  return {
    model,
    inputTokens,
    outputTokens,
    firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - started,
    totalMs: performance.now() - started,
    passages: passages.map(({ chunkId, score }) => ({ chunkId, score })),
  };
}
