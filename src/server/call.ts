import type { ApiKey } from '../contract/api-key.ts';
import type { Access, ParsedInputOf, ResultOf, Route, Area } from '../contract/route.ts';
import { AppError } from './app-error.ts';

export interface UserCaller {
  kind: 'user';
  userId: string;
  sessionId: string;
  isAnonymous: boolean;
  isMember: boolean;
}

/** A program with an API key: it acts in the one organization that the key belongs to, and is no person. */
export interface KeyCaller {
  kind: 'key';
  keyId: string;
  organizationId: string;
  scope: ApiKey['scope'];
}

/** Who may have a role in an organization. */
export type MemberCaller = UserCaller | KeyCaller;

export type Caller = MemberCaller | { kind: 'anonymous' };

/** A caller of a call that is not public has been identified before its handler runs. */
export type CallerOf<Who extends Access> = Who extends 'public'
  ? Caller
  : Who extends 'member'
    ? MemberCaller
    : UserCaller;

/** What is written down of who made something: the id of the person, or of the key. */
export function callerId(caller: MemberCaller): string {
  return caller.kind === 'key' ? caller.keyId : caller.userId;
}

/** For calls that only a person can make; a key is refused. */
export function personOf(caller: MemberCaller): UserCaller {
  if (caller.kind === 'key') throw new AppError('auth/forbidden', 'A person has to do this.');
  return caller;
}

/** What a handler may know and say of the connection; nothing else of HTTP reaches it. */
export interface RequestContext {
  /** The client's address, from a trusted proxy or the socket. */
  address: string;
  /** Origin of this installation, for links. */
  origin: string;
  /** The client asked for `text/event-stream`. */
  wantsStream: boolean;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
  cookies: {
    read: (name: string) => string | undefined;
    write: (name: string, value: string, options: { maxAgeSeconds: number }) => void;
    clear: (name: string) => void;
  };
}

/** Server-sent events in place of a JSON answer; the stream's end is written as `[DONE]`. */
export class EventStream {
  readonly events: AsyncIterable<object>;
  constructor(events: AsyncIterable<object>) {
    this.events = events;
  }
}

type AccessOf<R> =
  R extends Route<never, never, infer Who>
    ? Who
    : R extends { access: infer Who extends Access }
      ? Who
      : never;

export type Handler<R> = (
  input: ParsedInputOf<R>,
  caller: CallerOf<AccessOf<R>>,
  context: RequestContext,
) => Promise<ResultOf<R> | EventStream>;

/** One handler for each call of an area; a missing one is a type error. */
export type Handlers<A extends Area> = { readonly [Name in keyof A]: Handler<A[Name]> };
