import type { Conversation, Message, MessageState, MessageToolCall } from '../../../contract/chat.ts';
import type { ToolCallState } from '../../../contract/tool.ts';
import type { Agent } from '../../access/gate.ts';
import { publicAgentOf } from '../../access/present-agent.ts';
import { encodeCursor } from '../../cursor.ts';
import { citationOf } from './citations.ts';
import type { ReadMessage, StoredConversation, StoredMessage } from './store.ts';

/** As its reader sees it. A newly created message has no siblings, rating or calls yet. */
export function messageOf(
  stored: StoredMessage & Partial<Pick<ReadMessage, 'siblings' | 'rating' | 'author' | 'toolCalls'>>,
): Message {
  const { id, conversationId, role, text, state, attachments, suggestions, parentId, error, sequence } =
    stored;
  return {
    id,
    conversationId,
    role,
    text,
    state,
    citations: stored.citations.map(citationOf),
    attachments,
    suggestions,
    toolCalls: (stored.toolCalls ?? []).map((call) => callIn(state, call)),
    author: stored.author ?? null,
    parentId,
    siblings: stored.siblings ?? [id],
    rating: stored.rating ?? null,
    error,
    sequence,
    createdAt: stored.createdAt.toISOString(),
  };
}

/** What becomes of pending calls when an answer has ended: nobody is asked any more, and nothing continues. */
const endOfCall: Partial<Record<MessageToolCall['state'], ToolCallState>> = {
  waiting: 'denied',
  allowed: 'refused',
  running: 'failed',
};

function callIn(state: MessageState, call: MessageToolCall): MessageToolCall {
  const end = ['pending', 'streaming', 'waiting'].includes(state) ? undefined : endOfCall[call.state];
  return end ? { ...asToldToOthers(call), state: end } : call;
}

/** For readers who aren't asked: without what the asked person sees of it. */
export function asToldToOthers(call: MessageToolCall): MessageToolCall {
  return { ...call, waitsFor: null, service: null, form: [], values: [] };
}

/** The messages for this reader: in a room, only the person who opened it is asked. */
export function readBy<T extends Pick<ReadMessage, 'toolCalls'>>(
  reader: string,
  { userId }: Pick<StoredConversation, 'userId'>,
  read: T,
): T {
  return reader === userId ? read : { ...read, toolCalls: read.toolCalls.map(asToldToOthers) };
}

/** A page of the messages read, of which there is one more than `count`, and where the next one starts. */
export function messagePage(
  found: ReadMessage[],
  { count, orderBy }: { count: number; orderBy: 'asc' | 'desc' },
): { messages: Message[]; nextCursor: string | null } {
  const page = found.slice(0, count);
  const last = found.length > count ? page.at(-1) : undefined;
  return { messages: page.map(messageOf), nextCursor: last ? encodeCursor([orderBy, last.sequence]) : null };
}

export function conversationOf(
  {
    id,
    kind,
    userId,
    title,
    pinnedAt,
    temporary,
    agentVersion,
    channel,
    dryRun,
    handling,
    operatorSequence,
    seenSequence,
    createdAt,
    updatedAt,
  }: StoredConversation,
  agent: Agent,
  reader: string,
  language?: string,
): Conversation {
  return {
    id,
    kind,
    title: title || agent.name,
    agent: publicAgentOf(agent, language),
    own: userId === reader,
    unread: userId === reader && operatorSequence > seenSequence,
    pinned: pinnedAt !== null,
    temporary,
    version: agentVersion === 0 ? 'draft' : agentVersion,
    channel,
    dryRun,
    handling,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
