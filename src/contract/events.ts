import type { Author } from './chat.ts';
import type { KnowledgeProgress } from './knowledge.ts';

/** A member who is viewing a conversation. */
export interface PresentMember extends Author {
  isWriting: boolean;
}

/** Where a member is in the inbox; null: not in a conversation. */
export interface Here {
  organizationId: string;
  conversationId: string | null;
  isWriting: boolean;
}

/** Events the server sends over the socket. Sockets only notify: the current state is read over HTTP. */
export interface ServerEvents {
  'knowledge.progress.update.result': (event: { knowledgeProgress: KnowledgeProgress }) => void;
  /** A conversation of this person has changed: refetch it. */
  'conversation.updated': (event: { conversationId: string }) => void;
  /** Something was asked in a conversation of this person and is being answered: refetch it, and follow the answer. */
  'conversation.asked': (event: { conversationId: string }) => void;
  /** A conversation that people handle, or are asked to handle, has changed; sent to members who can answer. */
  'inbox.updated': (event: { organizationId: string; conversationId: string }) => void;
  /** Which members have an organization's inbox open; sent to those members. */
  'inbox.online': (event: { organizationId: string; online: Author[] }) => void;
  /** Who is currently viewing a conversation in the inbox; sent to those members. */
  'inbox.present': (event: { conversationId: string; members: PresentMember[] }) => void;
  /** This person's role, teams or membership in an organization have changed: refetch them. */
  'membership.updated': (event: { organizationId: string }) => void;
}

/** What a client can request. A room is joined only after the server has checked the client's right to it. */
export interface ClientEvents {
  'agent.watch': (agentId: string, acknowledge: (watching: boolean) => void) => void;
  /** Announces where this member is; others' places arrive as events. Members without access are neither told nor listed. */
  'inbox.here': (here: Here) => void;
  'inbox.left': () => void;
}
