import type { KnowledgeProgress } from './knowledge.ts';

/** What the server says over the socket. Sockets only notify: the truth is read over HTTP. */
export interface ServerEvents {
  'knowledge.progress.update.result': (event: { knowledgeProgress: KnowledgeProgress }) => void;
  /** A conversation of this person has changed; read it. */
  'conversation.updated': (event: { conversationId: string }) => void;
  /** Something in a conversation that lies with people, or is to, has changed; for members who may answer. */
  'inbox.updated': (event: { organizationId: string; conversationId: string }) => void;
  /** This person's role, teams or membership in an organization has changed; read them. */
  'membership.updated': (event: { organizationId: string }) => void;
}

/** What a client may ask for. A room is joined only after the server has checked the right to it. */
export interface ClientEvents {
  'agent.watch': (agentId: string, acknowledge: (watching: boolean) => void) => void;
}
