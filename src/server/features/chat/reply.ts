import type { Citation, Message, MessageState } from '../../../contract/chat.ts';
import { HISTORY_MAX_MESSAGES } from '../../../contract/limits.ts';
import type { Agent } from '../../access/gate.ts';
import type { Receipt } from '../../db/schema/index.ts';
import type { Deps } from '../../deps.ts';
import { retrieve, type Retrieved } from '../knowledge/search.ts';
import { citable, citedIn } from './citations.ts';
import { generate, type Generated } from './generate.ts';
import type { LiveAnswer } from './live.ts';
import { messageOf } from './present.ts';
import { fallbackOf, modelMessages, systemPrompt } from './prompt.ts';
import * as store from './store.ts';
import type { StoredMessage, Turn } from './store.ts';

/** What has come is stored at least this often while an answer streams; this much can be lost to a kill. */
const SAVE_INTERVAL_MS = 400;

/** Below this share of the question found in the knowledge, an agent that may use nothing else does not guess. */
const LEAST_SUPPORT = 0.2;

/**
 * Makes an answer from end to end: passages, prompt, model, storage. It never throws for a model's failure: the answer is
 * then stored as what it is, with what had come, and the reader is told.
 */
export async function reply(deps: Deps, agent: Agent, turn: Turn, live: LiveAnswer): Promise<Message> {
  const started = performance.now();
  live.push({ type: 'data-message', data: messageOf(turn.question) });
  live.push({ type: 'start', messageId: turn.answer.id });
  const { retrieved, history } = await gather(deps, agent, turn);
  const citations = citable(retrieved.passages);
  live.push({ type: 'data-citations', data: citations });
  const { name, model } = deps.models.resolve(agent.modelSettings.model);
  const isUnsupported = agent.enableKnowledgeBaseMode && retrieved.support < LEAST_SUPPORT;
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
  const receipt: Receipt = {
    model: isUnsupported ? 'none' : name,
    inputTokens: generated.inputTokens,
    outputTokens: generated.outputTokens,
    firstTokenMs: generated.firstTokenAt === undefined ? null : generated.firstTokenAt - started,
    totalMs: performance.now() - started,
    passages: retrieved.passages.map(({ chunkId, score }) => ({ chunkId, score })),
  };
  return settle(deps, agent, turn.answer, live, { generated, citations, receipt });
}

async function gather(
  deps: Deps,
  agent: Agent,
  { question }: Turn,
): Promise<{ retrieved: Retrieved; history: StoredMessage[] }> {
  return deps.db.in({ organizationId: agent.organizationId }, async (tx) => {
    const history = await store.listHistory(
      tx,
      question.conversationId,
      question.sequence,
      HISTORY_MAX_MESSAGES,
    );
    return { history, retrieved: await retrieve(tx, agent.id, question.text) };
  });
}

/** Stores the growing text in batches, one at a time; notices when somebody has stopped the answer from elsewhere. */
function createSaver({ db }: Deps, answer: StoredMessage, live: LiveAnswer) {
  let text = '';
  let saving: Promise<void> | undefined;
  const timer = setInterval(() => {
    saving ??= save().finally(() => (saving = undefined));
  }, SAVE_INTERVAL_MS);
  async function save(): Promise<void> {
    const isOurs = await db
      .in({ organizationId: answer.organizationId }, (tx) => store.saveProgress(tx, answer.id, text))
      // A database that is away for a moment costs a batch, not the answer: the end is stored anyway.
      .catch(() => true);
    if (!isOurs) live.abort.abort('stopped');
  }
  return {
    add: (delta: string) => {
      text += delta;
    },
    finish: async () => {
      clearInterval(timer);
      await saving;
    },
  };
}

interface Outcome {
  generated: Generated;
  citations: Citation[];
  receipt: Receipt;
}

async function settle(
  deps: Deps,
  agent: Agent,
  answer: StoredMessage,
  live: LiveAnswer,
  outcome: Outcome,
): Promise<Message> {
  const { generated, citations, receipt } = outcome;
  const { state, error } = stateOf(generated, live.abort.signal);
  const settled = await deps.db.in({ organizationId: agent.organizationId }, (tx) =>
    store.settleAnswer(tx, answer.id, {
      text: generated.text,
      state,
      error,
      receipt,
      citations: citedIn(generated.text, citations),
    }),
  );
  const message = messageOf(settled);
  if (state === 'stopped') live.push({ type: 'abort' });
  else if (error) live.push({ type: 'error', errorText: error });
  live.push({ type: 'data-message', data: message });
  live.push({ type: 'finish' });
  return message;
}

/** How an answer ended, and why in words for its reader. */
function stateOf(
  { text, failed }: Generated,
  signal: AbortSignal,
): { state: MessageState; error: string | null } {
  if (signal.aborted && signal.reason !== 'shutdown') return { state: 'stopped', error: null };
  if (signal.aborted)
    return { state: text ? 'incomplete' : 'failed', error: 'The server was restarted during the answer.' };
  if (failed) {
    return text
      ? { state: 'incomplete', error: 'The answer was interrupted.' }
      : { state: 'failed', error: 'The model could not be reached or did not answer.' };
  }
  return { state: 'complete', error: null };
}
