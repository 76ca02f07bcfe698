import type { Citation, Message } from '../../../contract/chat.ts';
import type { Receipt } from '../../db/schema/index.ts';
import type { Deps } from '../../deps.ts';
import { leastSupportOf } from '../../llm/least-support.ts';
import { EXTRACTIVE_MODEL } from '../../llm/models.ts';
import { costsOf } from '../../llm/price.ts';
import { NOT_TRANSLATED } from '../../llm/translate.ts';
import { languagesOf, smallTalkIn } from '../knowledge/search.ts';
import { readFiles } from './attached.ts';
import { citable, citedIn } from './citations.ts';
import { CREDITS_AN_ANSWER } from '../../access/credits.ts';
import { generate, nothingGenerated, type Generated, type Generation } from './generate.ts';
import { providerOf } from '../../observe/metrics.ts';
import type { LiveAnswer } from './live.ts';
import { messageOf } from './present.ts';
import { isNoAnswer } from './no-answer.ts';
import { findFor, findInNew, findTranslated, type Findings } from './passages.ts';
import { fallbackOf, modelMessages, systemPrompt } from './prompt.ts';
import type { Saver, Savers } from './saver.ts';
import { settle, type Outcome } from './settle.ts';
import { smallTalkText } from './small-talk-texts.ts';
import { suggest } from './suggest.ts';
import { instructionsFor } from './variables.ts';
import { namesOf } from './store.ts';
import type { StoredCall } from './tool-call-store.ts';
import { presentCall } from './tool-call.ts';
import { generateInSteps } from './tool-loop.ts';
import { ToolUse, type Toolbox } from './tool-use.ts';
import type { Turn } from './turn-store.ts';

/**
 * Produces an answer from end to end: passages, prompt, model, storage. Whatever goes wrong, the answer is stored in
 * its actual state, with partial output, and the reader is told: a conversation is never left waiting.
 */
export async function reply(
  deps: Deps,
  turn: Turn,
  live: LiveAnswer,
  { toolbox, savers }: { toolbox: Toolbox; savers: Savers },
): Promise<Message> {
  const started = performance.now();
  // Nothing is reported about a turn that didn't start.
  const begun = turn.committed?.catch(() => live.abort.abort('lost')) ?? Promise.resolve();
  live.push({ type: 'data-message', data: messageOf(turn.question) });
  live.push({ type: 'start', messageId: turn.answer.id });
  const tools = new ToolUse(deps, turn, live, toolbox);
  return deps.traces.span('answer', async (note) => {
    const outcome = await make(deps, turn, live, { started, tools, savers, begun }).catch(
      (error: unknown): Outcome => {
        deps.log.error({ err: error, messageId: turn.answer.id }, 'an answer could not be generated');
        // Whichever model was called may have charged for it.
        const generated = { ...nothingGenerated(), text: turn.answer.text, costNanoUsd: null };
        const receipt = receiptOf(turn, { generated, started, tools });
        const toolCalls = tools.calls.map(presentCall);
        return { generated, citations: [], suggestions: [], receipt, toolCalls, spent: 0 };
      },
    );
    await begun;
    note({ provider: providerOf(outcome.generated.model), passages: outcome.receipt.passages.length });
    return settle(deps, turn.answer, live, outcome);
  });
}

async function make(
  deps: Deps,
  turn: Turn,
  live: LiveAnswer,
  {
    started,
    tools,
    savers,
    begun,
  }: Pick<Making, 'started' | 'tools'> & { savers: Savers; begun: Promise<void> },
): Promise<Outcome> {
  const { agent, answer } = turn;
  const [found, files, names, instructions] = await Promise.all([
    deps.traces.span('passages', () => findFor(deps, turn)),
    readFiles(deps, turn),
    namesIn(deps, turn),
    instructionsFor(deps, turn),
  ]);
  const asking = { signal: live.abort.signal, begun, onError: failuresOf(deps, answer.id) };
  const hasTools = tools.functions.length > 0;
  const judged = await judge(deps, turn, { found, hasFiles: files.length > 0, hasTools, ...asking });
  const { model, mayCall, retrieved } = judged;
  const citations = citable(retrieved.passages);
  live.push({ type: 'data-citations', data: citations });
  const saver = savers.open(answer, live, begun);
  repeat(live, saver, answer.text);
  const generation: Generation = {
    model,
    settings: agent.modelSettings,
    system: systemPrompt(agent, instructions, citations, mayCall),
    messages: modelMessages(turn, files, names),
    ...asking,
    ...hearing(deps, live, saver),
  };
  const generated = await (
    mayCall || turn.resumed ? generateInSteps(generation, tools, answer.text) : generate(generation)
  ).finally(() => saver.finish());
  return {
    generated,
    citations,
    suggestions: suggestionsFor(turn, retrieved, citedIn(generated.text, citations)),
    receipt: receiptOf(turn, { generated, started, tools, retrieved }),
    toolCalls: tools.calls.map(presentCall),
    spent: spentOf(turn, generated, tools),
  };
}

interface Judging extends Pick<Generation, 'signal' | 'begun' | 'onError'> {
  found: Findings;
  hasFiles: boolean;
  hasTools: boolean;
}

/**
 * Who answers, given what was found: the agent's models, or its fallback if it answers only from its knowledge and that
 * covers nothing of the question. Knowledge read since the search counts too, and so does what a translation finds. Small
 * talk and what names no subject need no knowledge; the built-in model can only quote, so it has ready texts for the former.
 */
async function judge(
  deps: Deps,
  turn: Turn,
  { found, hasFiles, hasTools, signal, begun, onError }: Judging,
): Promise<Pick<Generation, 'model'> & { mayCall: boolean; retrieved: Findings }> {
  const { agent, question } = turn;
  const chain = await deps.models.chain(agent.organizationId, agent.modelSettings);
  // The built-in model has no other knowledge either.
  const isBuiltIn = chain.models[0].name === EXTRACTIVE_MODEL;
  const mayCall = hasTools && !isBuiltIn;
  const hasOnlyKnowledge = (agent.enableKnowledgeBaseMode && !mayCall) || isBuiltIn;
  const needsPassages = hasOnlyKnowledge && !hasFiles;
  const talk = hasFiles ? undefined : smallTalkIn(question.text, languagesOf(turn.statistics));
  if (talk) {
    const model = isBuiltIn ? smallTalkText(talk, agent.language) : chain;
    return { model, mayCall, retrieved: found };
  }
  const holdsNothing = ({ support, isVague }: Findings): boolean =>
    needsPassages && support < leastSupportOf(chain) && (isBuiltIn || !isVague);
  const own = holdsNothing(found) ? ((await findInNew(deps, turn, signal)) ?? found) : found;
  const asked = { found: own, chain, isRefused: holdsNothing(own) };
  const retrieved = await findTranslated(deps, turn, asked, { signal, mayRead: begun, onError });
  return { model: holdsNothing(retrieved) ? fallbackOf(agent) : chain, mayCall, retrieved };
}

function failuresOf({ metrics, log }: Deps, messageId: string): Generation['onError'] {
  return (err, model) => {
    metrics.modelFailed(model);
    log.warn({ err, messageId, model }, 'model failed');
  };
}

/** The callbacks for a model's output. */
function hearing(
  { traces }: Deps,
  live: LiveAnswer,
  saver: Saver,
): Pick<Generation, 'span' | 'onDelta' | 'onPart'> {
  return {
    span: traces.span,
    onDelta: saver.add,
    onPart: (event) => live.push(event),
  };
}

/** What an answer said before it resumed, for readers who start from its beginning. */
function repeat(live: LiveAnswer, saver: Saver, text: string): void {
  if (text === '') return;
  const id = 'before';
  saver.add(text);
  live.push({ type: 'text-start', id });
  live.push({ type: 'text-delta', id, delta: text });
  live.push({ type: 'text-end', id });
}

/** For speakers in a room; elsewhere there is only one person, and nothing to look up. */
async function namesIn({ db }: Deps, { kind, question, history }: Turn): Promise<Map<string, string>> {
  if (kind !== 'game') return new Map();
  const ids = [question, ...history].flatMap(({ authorId }) => authorId ?? []);
  return db.in({}, (tx) => namesOf(tx, ids));
}

function suggestionsFor(
  { agent, question, history }: Turn,
  retrieved: Findings,
  cited: Citation[],
): string[] {
  const used = new Set(cited.map(({ chunkId }) => chunkId));
  const unused = retrieved.others.filter(({ chunkId }) => !used.has(chunkId));
  const said = [question.text, ...history.map(({ text }) => text)];
  return suggest(unused, cited, agent.conversationStarters, said);
}

/** The agent's fallback instead of an answer. */
function isRefusal(agent: Turn['agent'], { text, failed }: Generated): boolean {
  const fallback = fallbackOf(agent);
  return !failed && text.trim() !== '' && (text === fallback || isNoAnswer(text, fallback));
}

/** A refusal, a failure, and an answer stopped before its first word are free. */
function costOf(agent: Turn['agent'], generated: Generated, { calls }: ToolUse): number {
  const { text, failed, model } = generated;
  const saysNothing = (text.trim() === '' && calls.length === 0) || model === 'none';
  return failed || saysNothing || isRefusal(agent, generated) ? 0 : CREDITS_AN_ANSWER;
}

/** What it takes from the person's purchased credits: nothing if it is free, and never more than was held for it. */
function spentOf({ agent, charge }: Turn, generated: Generated, tools: ToolUse): number {
  if (!charge || costOf(agent, generated, tools) === 0) return 0;
  return Math.min(charge.held, charge.message + charge.toolCall * tools.madeNow);
}

interface Making {
  generated: Generated;
  started: number;
  tools: ToolUse;
  retrieved?: Findings;
}

/** A resumed answer was paid for when it started. */
function receiptOf({ agent, question, answer }: Turn, making: Making): Receipt {
  const { generated, started, tools, retrieved } = making;
  const { model, failedModels, inputTokens, cachedTokens, outputTokens, costNanoUsd, firstTokenAt } =
    generated;
  const before = answer.receipt;
  const translated = retrieved?.translation ?? NOT_TRANSLATED;
  return {
    model,
    failedModels: [...(before?.failedModels ?? []), ...failedModels],
    agentVersion: agent.version,
    query: retrieved?.query ?? question.text,
    inputTokens: sumOf(before?.inputTokens, translated.tokens.input, inputTokens),
    cachedTokens: sumOf(before?.cachedTokens, translated.tokens.cached, cachedTokens),
    outputTokens: sumOf(before?.outputTokens, translated.tokens.output, outputTokens),
    costNanoUsd: costsOf(before ? (before.costNanoUsd ?? null) : 0, translated.costNanoUsd, costNanoUsd),
    firstTokenMs: before?.firstTokenMs ?? (firstTokenAt === undefined ? null : firstTokenAt - started),
    totalMs: (before?.totalMs ?? 0) + performance.now() - started,
    credits: before?.credits ?? costOf(agent, generated, tools),
    ...(tools.calls.length > 0 ? { tools: tools.calls.map(calledOf) } : {}),
    ...(retrieved ? { support: Math.round(retrieved.support * 1000) / 1000 } : {}),
    ...(isRefusal(agent, generated) ? { refused: true } : {}),
    ...(generated.cut && !generated.failed ? { cut: generated.cut } : {}),
    passages: (retrieved?.passages ?? []).map(({ chunkId, score }) => ({ chunkId, score })),
  };
}

/** Of those that are known; null if none is. */
function sumOf(...counts: (number | null | undefined)[]): number | null {
  return counts.reduce<number | null>(
    (sum, count) => (typeof count === 'number' ? (sum ?? 0) + count : sum),
    null,
  );
}

function calledOf({ toolName, operationId, state }: StoredCall) {
  return { tool: toolName, operation: operationId, state };
}
