import type { Access, ParsedInputOf, ResultOf, Route, Area } from '../contract/route.ts';

export interface UserCaller {
  kind: 'user';
  userId: string;
  sessionId: string;
  isAnonymous: boolean;
  isMember: boolean;
}

export type Caller = UserCaller | { kind: 'anonymous' };

/** A caller of a call that is not public has been identified before its handler runs. */
export type CallerOf<Who extends Access> = Who extends 'public' ? Caller : UserCaller;

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
    write: (name: string, value: string, options: { maxAgeSeconds: number; path?: string }) => void;
    clear: (name: string, options?: { path?: string }) => void;
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
