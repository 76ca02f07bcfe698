import { disclosureOf } from '../../access/disclosure.ts';
import { AppError } from '../../app-error.ts';
import type { VisitorCaller } from '../../call.ts';
import { problemIn, type OpenChannel } from '../../channels/channel.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import type { OpenedFile } from '../../documents.ts';
import { openChannel } from '../../channels/open-channel.ts';
import { greetingOf, isGreeting } from './greeting.ts';
import { partsFor, wordsOf } from './parts.ts';
import * as store from './store.ts';
import type { StoredAgent, StoredChannelMessage, StoredPlugin, StoredThread } from './store.ts';
import { takeFiles, type Hear } from './take-files.ts';
import { wordOf } from './word.ts';

/** What is needed of the chat; implemented by `features/chat/channel-turns.ts`. */
export interface Turns<Answer extends ReadAnswer> {
  admit: (caller: VisitorCaller) => Promise<void>;
  ask: (
    caller: VisitorCaller,
    question: {
      conversationId: string | undefined;
      channel: StoredPlugin['type'];
      text: string;
      files: OpenedFile[];
    },
    noted: (tx: Tx, answer: { id: string; conversationId: string }) => Promise<void>,
  ) => Promise<void>;
  decide: (
    caller: VisitorCaller,
    waiting: Answer,
    decision: 'allow' | 'deny',
    noted: (tx: Tx) => Promise<void>,
  ) => Promise<void>;
  read: (tx: Tx, organizationId: string, answerId: string) => Promise<Answer | undefined>;
  /** The message to the person about an error, and whether it may be temporary. */
  reasonOf: (error: unknown, caller: VisitorCaller) => { words: string; isPassing: boolean };
}

type ReadAnswer = Parameters<typeof wordsOf>[0] & { id: string; role: string; error: string | null };

/** Most services' typing indicator expires after about five seconds. */
const TYPING_EVERY_MS = 4000;
/** How long a job waits for another one working on the same thread. */
const THREAD_WAIT_MS = 1000;

interface Work {
  plugin: StoredPlugin;
  agent: StoredAgent;
  channel: OpenChannel;
  thread: StoredThread;
  caller: VisitorCaller;
}

/**
 * Answers the messages waiting in a thread, in order of arrival, one thread at a time across all processes. After a
 * kill the next attempt continues where this one stopped: a question is asked once, and delivered parts of an answer
 * aren't delivered again (except the one in flight).
 */
export function answerChannel<Answer extends ReadAnswer>(deps: Deps, turns: Turns<Answer>, hear: Hear) {
  return async (
    { organizationId, threadId: id }: JobData['channel.answer'],
    signal: AbortSignal,
  ): Promise<void> => {
    const release = await deps.locks.take(id, () => undefined, THREAD_WAIT_MS);
    try {
      while (!signal.aborted) {
        const next = await deps.db.in({ organizationId }, (tx) => open(deps, tx, { organizationId, id }));
        if (!next) return;
        await answerOne(deps, { turns, hear }, next.work, next.message);
      }
    } finally {
      await release();
    }
    throw new Error('The process is shutting down.');
  };
}

/** For an answer that couldn't be delivered. */
export function giveUpChannel({ db }: Deps) {
  return ({ organizationId, threadId: id }: JobData['channel.answer']): Promise<void> =>
    db.in({ organizationId }, async (tx) => {
      const message = await store.findNext(tx, { organizationId, id });
      if (!message) return;
      await store.updateMessage(tx, message, {
        state: 'failed',
        error: message.error ?? 'It could not be delivered.',
      });
    });
}

async function open(
  deps: Deps,
  tx: Tx,
  key: store.ThreadKey,
): Promise<{ work: Work; message: StoredChannelMessage } | undefined> {
  const message = await store.findNext(tx, key);
  const thread = message && (await store.openThread(tx, key));
  const found = thread && (await store.findPlugin(tx, key.organizationId, thread.pluginId));
  if (!found || found.plugin.status !== 'active') return undefined;
  const { plugin, agent } = found;
  const channel = openChannel(deps, plugin);
  if (!channel) return undefined;
  const { organizationId, agentId } = plugin;
  const { visitorId, userId } = thread;
  const who = { visitorId, userId, organizationId, agentId };
  const caller: VisitorCaller = { kind: 'visitor', ...who, site: undefined, isNamed: true, byKey: true };
  return { work: { plugin, agent, channel, thread, caller }, message };
}

/** What is needed to understand and answer a message. */
interface Wits<Answer extends ReadAnswer> {
  turns: Turns<Answer>;
  hear: Hear;
}

async function answerOne<Answer extends ReadAnswer>(
  deps: Deps,
  wits: Wits<Answer>,
  work: Work,
  message: StoredChannelMessage,
): Promise<void> {
  const { organizationId } = message;
  const { greeting, refusal } = message.answerId === null ? await askAgent(deps, wits, work, message) : {};
  const { answerId, partsSent, files, saidCharacters } =
    (await deps.db.in({ organizationId }, (tx) => store.findNext(tx, work.thread))) ?? message;
  const noted =
    answerId === null
      ? undefined
      : await deps.db.in({ organizationId }, (tx) => wits.turns.read(tx, organizationId, answerId));
  // A person is to answer: there is nothing to deliver yet.
  const answer = noted?.role === 'user' ? undefined : noted;
  // It belongs to a process that has died; the next attempt finds it settled.
  if (answer && ['pending', 'streaming'].includes(answer.state))
    throw new Error('The answer is not settled yet.');
  const rest = answer && { ...answer, text: answer.text.slice(saidCharacters) };
  const refusals = refusal === undefined ? files.flatMap((file) => file.refusal ?? []) : [];
  const answered = greeting ?? refusal ?? (rest ? wordsOf(rest) || (rest.error ?? '') : '');
  const notice = answered === '' ? '' : await noticeOf(deps, work, message);
  const words = [notice, ...refusals, answered].filter((part) => part !== '').join('\n\n');
  await bring(deps, work, message, { words, partsSent });
  const error = refusal ?? answer?.error ?? null;
  await deps.db.in({ organizationId }, (tx) =>
    store.updateMessage(tx, message, { state: error === null ? 'answered' : 'failed', error }),
  );
}

/** The notice that this is an AI, with the person's first answer. */
async function noticeOf({ db }: Deps, { agent }: Work, message: StoredChannelMessage): Promise<string> {
  const notice = disclosureOf(agent);
  if (notice === '') return '';
  const { organizationId } = message;
  return (await db.in({ organizationId }, (tx) => store.isDisclosedWith(tx, message))) ? notice : '';
}

interface Asked {
  /** What is said without asking. */
  greeting?: string;
  /** Why it couldn't be asked. */
  refusal?: string;
}

/** Asks the agent, or passes on the person's decision about what the last answer waits for. */
async function askAgent<Answer extends ReadAnswer>(
  deps: Deps,
  wits: Wits<Answer>,
  work: Work,
  message: StoredChannelMessage,
): Promise<Asked> {
  const { channel, thread, agent } = work;
  if (isGreeting(message.text)) return { greeting: greetingOf(agent) };
  const showTyping = () => void channel.showTyping({ place: thread.place, replyTo: message.replyTo });
  const typing = setInterval(showTyping, TYPING_EVERY_MS);
  showTyping();
  try {
    return (await passOnWord(deps, wits, work, message)) ?? (await askAnew(deps, wits, work, message));
  } catch (error) {
    const { words, isPassing } = wits.turns.reasonOf(error, work.caller);
    if (isPassing) throw error;
    return { refusal: words };
  } finally {
    clearInterval(typing);
  }
}

/** Undefined if nothing waits for the person's decision, or this isn't one. */
async function passOnWord<Answer extends ReadAnswer>(
  { db }: Deps,
  { turns }: Wits<Answer>,
  { thread, caller }: Work,
  message: StoredChannelMessage,
): Promise<Asked | undefined> {
  const { organizationId } = message;
  const word = wordOf(message.text);
  if (!word) return undefined;
  const waiting = await db.in({ organizationId }, async (tx) => {
    const last = await store.findLastAnswer(tx, thread);
    const answer = last === undefined ? undefined : await turns.read(tx, organizationId, last);
    // A request from too long ago no longer waits.
    const isAsked = answer?.toolCalls.some(({ state }) => state === 'waiting') ?? false;
    return answer?.state === 'waiting' && isAsked ? answer : undefined;
  });
  if (!waiting) return undefined;
  const { id: answerId, text } = waiting;
  await turns.decide(caller, waiting, word, (tx) =>
    store.updateMessage(tx, message, { state: 'answering', answerId, saidCharacters: text.length }),
  );
  return {};
}

async function askAnew<Answer extends ReadAnswer>(
  deps: Deps,
  { turns, hear }: Wits<Answer>,
  { plugin, agent, channel, thread, caller }: Work,
  message: StoredChannelMessage,
): Promise<Asked> {
  const mayHear: Hear = async (recording) => (agent.voiceEnabled ? hear(recording) : undefined);
  if (message.files.length > 0) await turns.admit(caller);
  const { text, files, noted } = await takeFiles(deps, channel, message, mayHear);
  if (text === '' && files.length === 0)
    return { refusal: noted.flatMap(({ refusal }) => refusal ?? []).join('\n') };
  const conversationId = thread.conversationId ?? undefined;
  await turns.ask(caller, { conversationId, channel: plugin.type, text, files }, async (tx, answer) => {
    await store.setConversation(tx, thread, answer.conversationId);
    await store.updateMessage(tx, message, { state: 'answering', answerId: answer.id, files: noted });
  });
  return {};
}

/** Delivered parts are recorded one by one; what the service rejects isn't retried. */
async function bring(
  { db }: Deps,
  { channel, thread, plugin }: Work,
  message: StoredChannelMessage,
  { words, partsSent }: { words: string; partsSent: number },
): Promise<void> {
  const { organizationId } = message;
  const parts = await partsFor(channel, thread.place, words);
  for (const [index, part] of parts.entries()) {
    if (index < partsSent) continue;
    try {
      await channel.send({ place: thread.place, replyTo: message.replyTo, partsBefore: index }, part);
    } catch (error) {
      const reason = error instanceof AppError ? error.message : 'The answer could not be delivered.';
      await db.in({ organizationId }, async (tx) => {
        await store.noteHealth(tx, plugin, reason);
        const isFinal = error instanceof AppError && error.code === 'channel/refused';
        await store.updateMessage(tx, message, { error: reason, ...(isFinal ? { state: 'failed' } : {}) });
      });
      throw error;
    }
    await db.in({ organizationId }, (tx) =>
      store.updateMessage(tx, message, { partsSent: index + 1, error: null }),
    );
  }
  const problem = problemIn(plugin.asked);
  if (plugin.health !== 'healthy' && problem === null)
    await db.in({ organizationId }, (tx) => store.noteHealth(tx, plugin, null));
}
