import { setTimeout as sleep } from 'node:timers/promises';
import type { Citation, Message, MessageState, MessageToolCall } from '../../../contract/chat.ts';
import type { Receipt } from '../../db/schema/index.ts';
import type { Deps } from '../../deps.ts';
import { providerOf, type AnswerFigures } from '../../observe/metrics.ts';
import type { Cut } from '../../llm/ask.ts';
import { citedIn } from './citations.ts';
import type { Generated } from './generate.ts';
import type { LiveAnswer } from './live.ts';
import { messageOf } from './present.ts';
import { settleAnswer, type Settlement } from './answer-store.ts';
import type { TurnMessage } from './turn-store.ts';

/** How long to wait for a database that is away; the answer is only lost if it stays away longer. */
const STORE_FOR_MS = 120_000;
/** The delay doubles with each retry; its maximum is how long someone may wait once the database is back. */
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 2000;

export interface Outcome {
  generated: Generated;
  citations: Citation[];
  suggestions: string[];
  receipt: Receipt;
  /** The tool calls. */
  toolCalls: MessageToolCall[];
  /** From the person's own credits. */
  spent: number;
}

/** Stores an answer's final state, however often it takes, and notifies its readers. */
export async function settle(
  deps: Deps,
  answer: TurnMessage,
  live: LiveAnswer,
  outcome: Outcome,
): Promise<Message> {
  const { generated, citations, suggestions, receipt, toolCalls, spent } = outcome;
  const isWaiting = toolCalls.some((call) => call.state === 'waiting');
  const { state, error } = endOf(generated, live.abort.signal, isWaiting);
  const { text } = generated;
  const settlement = {
    text,
    state,
    error,
    receipt,
    spent,
    hasToolCalls: toolCalls.length > 0,
    citations: citedIn(text, citations),
    suggestions: state === 'complete' ? suggestions : [],
  };
  const settled = await deps.traces.span('settle', () => storeAtLast(deps, answer, settlement), { state });
  const message = messageOf({ ...settled, toolCalls });
  // A turn that wasn't taken is not a failed answer.
  if (live.abort.signal.reason !== 'lost') deps.metrics.answered(figuresOf(state, receipt));
  if (state === 'stopped') live.push({ type: 'abort' });
  else if (error && generated.failed) live.push({ type: 'error', errorText: error });
  live.push({ type: 'data-message', data: message });
  live.push({ type: 'finish' });
  return message;
}

function figuresOf(state: MessageState, receipt: Receipt): AnswerFigures {
  const { model, firstTokenMs, totalMs, inputTokens, outputTokens, refused } = receipt;
  const outcome = state === 'complete' && refused ? 'refused' : state;
  return { outcome, provider: providerOf(model), firstTokenMs, totalMs, inputTokens, outputTokens };
}

async function storeAtLast(deps: Deps, answer: TurnMessage, settlement: Settlement): Promise<TurnMessage> {
  const until = performance.now() + STORE_FOR_MS;
  for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, LONGEST_DELAY_MS)) {
    try {
      return await settleAnswer(deps.db, answer, settlement);
    } catch (error) {
      if (performance.now() > until) throw error;
      deps.log.warn({ err: error, messageId: answer.id }, 'an answer could not be stored yet');
      await sleep(delay);
    }
  }
}

/** What the reader is told about an answer that was cut off, and about one without any text left. */
const cutWords: Record<Cut, { rest: string; all: string }> = {
  length: {
    rest: 'The answer reached its maximum length and ends here.',
    all: 'The model reached its maximum answer length without writing anything.',
  },
  content_filter: {
    rest: 'The model provider withheld the rest of this answer.',
    all: 'The model provider withheld this answer.',
  },
};

/** An answer's final state, and the reason in words for its reader. */
function endOf(
  { text, failed, cut }: Generated,
  signal: AbortSignal,
  isWaiting: boolean,
): { state: MessageState; error: string | null } {
  const broken = text.trim() ? 'incomplete' : 'failed';
  if (signal.aborted && signal.reason === 'lost')
    return { state: 'failed', error: 'The answer could not be started.' };
  if (signal.aborted && signal.reason !== 'shutdown') return { state: 'stopped', error: null };
  if (signal.aborted) return { state: broken, error: 'The server was restarted during the answer.' };
  if (isWaiting && !failed) return { state: 'waiting', error: null };
  if (cut) return { state: broken, error: cutWords[cut][broken === 'failed' ? 'all' : 'rest'] };
  if (!failed) return { state: 'complete', error: null };
  const error =
    broken === 'incomplete'
      ? 'The answer was interrupted.'
      : 'The model could not be reached or did not answer.';
  return { state: broken, error };
}
