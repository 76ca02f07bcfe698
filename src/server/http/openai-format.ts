import * as z from 'zod';
import { isStorableText } from '../../contract/common.ts';
import { Citation } from '../../contract/chat.ts';
import { MESSAGE_MAX_CHARACTERS } from '../../contract/limits.ts';
import { AppError, invalidField } from '../app-error.ts';
import type { Cut } from '../llm/ask.ts';
import type { AnswerToProgram, MadeAnswer } from './program.ts';

/**
 * OpenAI's chat completions as agents support them. Options that would change an answer in a way an agent can't provide
 * are rejected; those that only tune a model (temperature, max_tokens and such) are the agent's own settings and are
 * ignored.
 */

const storable = z.string().refine(isStorableText, 'Must not contain NUL or broken characters.');
const TextPart = z.looseObject({ type: z.literal('text'), text: storable });

const SentMessage = z.looseObject({
  role: z.enum(
    ['system', 'developer', 'user', 'assistant'],
    'An agent does not support messages of this role.',
  ),
  content: z
    .union([storable, z.array(TextPart)], 'Must be text; an agent takes no pictures or files here.')
    .nullish(),
  tool_calls: z.array(z.unknown()).max(0, "An agent does not call its clients' tools.").nullish(),
});

const no = (message: string) => z.array(z.unknown()).max(0, message).nullish();

export const CompletionRequest = z.looseObject({
  /** Any value: the address names the agent. */
  model: z.string().nullish(),
  messages: z.array(SentMessage).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  /** Names the end user, like the `End-User` header. */
  user: z.string().nullish(),
  n: z.literal(1, 'An agent gives one answer.').nullish(),
  tools: no("An agent does not call its clients' tools."),
  functions: no("An agent does not call its clients' functions."),
  response_format: z.looseObject({ type: z.literal('text', 'An agent answers only in text.') }).nullish(),
  modalities: z.array(z.literal('text', 'An agent answers only in text.')).nullish(),
  logprobs: z.literal(false, 'An agent does not report probabilities.').nullish(),
  stop: z.union([z.literal(''), z.array(z.string()).max(0)], 'An agent ends its answers itself.').nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

const Usage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});

export const Completion = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.number(),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      finish_reason: z.enum(['stop', 'length', 'content_filter']),
      logprobs: z.null(),
    }),
  ),
  usage: Usage,
  /** The passages the answer cites as `[n]`; not part of OpenAI's format. */
  citations: z.array(Citation),
  /** Where members can read it; not part of OpenAI's format. */
  conversation_id: z.string(),
});

/** For the document: what a completion with `stream` is sent as. */
export const CompletionEvents = z
  .string()
  .describe("With `stream`: OpenAI's chunks as server-sent events, and `[DONE]` at the end.");

export const ModelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({ id: z.string(), object: z.literal('model'), created: z.number(), owned_by: z.string() }),
  ),
});

type Said = { role: 'user' | 'assistant'; text: string };

/**
 * The question and the messages before it. System messages are left out: an agent has its own instructions. Errors: 400
 * if the last message is not a question that could be sent in a chat.
 */
export function questionOf({ messages }: CompletionRequest): { text: string; said: Said[] } {
  const said = messages.flatMap(({ role, content }, index): Said[] => {
    if (role !== 'user' && role !== 'assistant') return [];
    const text = textOf(content);
    if (role === 'user' && text.length > MESSAGE_MAX_CHARACTERS)
      throw invalidField(`messages.${index}`, `Must have at most ${MESSAGE_MAX_CHARACTERS} characters.`);
    return text.trim() === '' ? [] : [{ role, text }];
  });
  const question = said.pop();
  if (question?.role !== 'user')
    throw invalidField('messages', 'The last message must be a question of the user.');
  return { text: question.text, said };
}

function textOf(content: CompletionRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text).join('\n');
}

/** The fields common to every chunk of an answer. */
function headOf({ messageId, conversationId, createdAt }: AnswerToProgram, model: string) {
  const created = Math.floor(createdAt.getTime() / 1000);
  return { id: `chatcmpl-${messageId}`, created, model, conversation_id: conversationId };
}

/** Errors: 503 for an answer that failed or broke off, as with a model; one that was cut short says so. */
export async function completionOf(
  answer: AnswerToProgram,
  model: string,
): Promise<z.input<typeof Completion>> {
  const made = await answer.done;
  const cut = made.receipt?.cut;
  if (made.error !== null && !cut) throw new AppError('server/unavailable', made.error);
  const message = { role: 'assistant', content: made.text, refusal: null } as const;
  return {
    ...headOf(answer, model),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: cut ?? 'stop', logprobs: null }],
    usage: usageOf(made),
    citations: citationsOf(made),
  };
}

/** The same as chunks. A failure midway is an event with an `error`, which OpenAI's clients throw. */
export async function* chunksOf(
  answer: AnswerToProgram,
  model: string,
  { withUsage }: { withUsage: boolean },
): AsyncGenerator<object> {
  const head = { ...headOf(answer, model), object: 'chat.completion.chunk' };
  const usage = withUsage ? { usage: null } : {};
  const chunk = (delta: object, finish_reason: 'stop' | Cut | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    ...usage,
  });
  yield chunk({ role: 'assistant', content: '' });
  for await (const event of answer.follow()) {
    if (event.type === 'text-delta') yield chunk({ content: event.delta });
    if (event.type === 'error') return yield openaiError(new AppError('server/unavailable', event.errorText));
  }
  const made = await answer.done;
  yield { ...chunk({}, made.receipt?.cut ?? 'stop'), citations: citationsOf(made) };
  if (withUsage) yield { ...head, choices: [], usage: usageOf(made) };
}

/** Whether a chunk contains text. */
export function hasContent(chunk: object): boolean {
  const { choices: [choice] = [] } = chunk as { choices?: { delta: { content?: string } }[] };
  return Boolean(choice?.delta.content);
}

function citationsOf({ citations }: MadeAnswer): Citation[] {
  return citations.map((citation) => ({ offset: null, card: null, ...citation }));
}

/** A provider that reports no usage counts as 0. */
function usageOf({ receipt }: MadeAnswer): z.infer<typeof Usage> {
  const [asked, answered] = [receipt?.inputTokens ?? 0, receipt?.outputTokens ?? 0];
  return { prompt_tokens: asked, completion_tokens: answered, total_tokens: asked + answered };
}

const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  429: 'rate_limit_error',
};

export const OpenaiFailure = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().describe('The same codes as in a problem document.'),
    }),
  })
  .describe("Every failure, in OpenAI's format. A 429 and a 503 say in `Retry-After` when to try again.");

/** An error in OpenAI's format, with our code to tell it apart. */
export function openaiError(error: AppError): z.infer<typeof OpenaiFailure> {
  const [field] = error.errors;
  const type = types[error.status] ?? (error.status < 500 ? 'invalid_request_error' : 'server_error');
  const message = field ? `${field.path}: ${field.message}` : error.message;
  return { error: { message, type, param: field?.path ?? null, code: error.code } };
}
