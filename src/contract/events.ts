import type { Author } from './chat.ts';
import type { KnowledgeProgress } from './knowledge.ts';

/** A member who looks at a conversation. */
export interface PresentMember extends Author {
  isWriting: boolean;
}

/** Where a member is in the inbox; null: at none of its conversations. */
export interface Here {
  organizationId: string;
  conversationId: string | null;
  isWriting: boolean;
}

/** What the server says over the socket. Sockets only notify: the truth is read over HTTP. */
export interface ServerEvents {
  'knowledge.progress.update.result': (event: { knowledgeProgress: KnowledgeProgress }) => void;
  /** A conversation of this person has changed; read it. */
  'conversation.updated': (event: { conversationId: string }) => void;
  /** Something was asked in a conversation of this person, and is being answered: read it, and follow the answer. */
  'conversation.asked': (event: { conversationId: string }) => void;
  /** Something in a conversation that lies with people, or is to, has changed; for members who may answer. */
  'inbox.updated': (event: { organizationId: string; conversationId: string }) => void;
  /** Who of the members has the inbox of an organization open; for those who have. */
  'inbox.online': (event: { organizationId: string; online: Author[] }) => void;
  /** Who looks at a conversation in the inbox now; for those who do. */
  'inbox.present': (event: { conversationId: string; members: PresentMember[] }) => void;
  /** This person's role, teams or membership in an organization has changed; read them. */
  'membership.updated': (event: { organizationId: string }) => void;
}

/** What a client may ask for. A room is joined only after the server has checked the right to it. */
export interface ClientEvents {
  'agent.watch': (agentId: string, acknowledge: (watching: boolean) => void) => void;
  /** Says where one is; what is known of others comes as an event. Nobody who may not look there is told or listed. */
  'inbox.here': (here: Here) => void;
  'inbox.left': () => void;
}
