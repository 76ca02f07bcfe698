import type { FastifyRequest } from 'fastify';
import type { ChatStreamEvent, Citation, MessageState } from '../../contract/chat.ts';
import { AGENT_KEY_PREFIX, END_USER_HEADER, type AgentKeys } from '../access/agent-keys.ts';
import { AppError } from '../app-error.ts';
import type { VisitorCaller } from '../call.ts';
import type { Pace } from '../load/pace.ts';
import type { Cut } from '../llm/ask.ts';

/** Agents as seen by programs that use their own protocol; implemented by `features/chat/retelling.ts` and `features/program`. */
export interface AgentsForPrograms {
  ask: (
    caller: VisitorCaller,
    question: { agentId: string; text: string; said: { role: 'user' | 'assistant'; text: string }[] },
    signal: AbortSignal,
  ) => Promise<AnswerToProgram>;
  search: (
    caller: VisitorCaller,
    asked: { agentId: string; query: string; limit: number },
  ) => Promise<PassageForProgram[]>;
  agent: (caller: VisitorCaller, agentId: string) => Promise<{ id: string; name: string; createdAt: Date }>;
}

export interface AnswerToProgram {
  messageId: string;
  conversationId: string;
  createdAt: Date;
  follow: () => AsyncIterable<ChatStreamEvent>;
  done: Promise<MadeAnswer>;
}

export interface MadeAnswer {
  text: string;
  state: MessageState;
  error: string | null;
  citations: CitationForProgram[];
  receipt: { inputTokens: number | null; outputTokens: number | null; cut?: Cut } | null;
}

type CitationForProgram = Omit<Citation, 'offset' | 'card'>;

interface PassageForProgram extends Pick<
  Citation,
  'chunkId' | 'sourceId' | 'knowledgeId' | 'title' | 'url' | 'headingPath' | 'page' | 'text'
> {
  score: number;
}

export interface ProgramOptions {
  agents: AgentsForPrograms;
  agentKeys: AgentKeys;
  /** Notified of every request, so that background work steps back. */
  pace: Pace;
}

/** An agent's ID in an address; the agent lookup reports a malformed one as unknown. */
export interface OfAgent {
  Params: { id: string };
}

/**
 * The caller with the agent's own key: the end user named in the `End-User` header, otherwise `endUser`, otherwise the
 * program itself. Nothing else opens these addresses, and cookies are ignored. Errors: 401, 400 for an invalid name.
 */
export async function callerByKey(
  request: FastifyRequest,
  { agentKeys, pace }: ProgramOptions,
  endUser = '',
): Promise<VisitorCaller> {
  pace.asked();
  const secret = /^Bearer ([\w-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const named = String(request.headers[END_USER_HEADER] ?? endUser);
  const caller = secret.startsWith(AGENT_KEY_PREFIX) ? await agentKeys.identify(secret, named) : undefined;
  if (!caller) throw new AppError('auth/unauthenticated', "This needs the agent's key as the bearer token.");
  return caller;
}
