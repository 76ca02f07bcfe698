import type { Readable } from 'node:stream';
import type { ApiKey } from '../contract/api-key.ts';
import type { Location } from '../contract/user.ts';
import type { Access, ParsedInputOf, ResultOf, Route, Area } from '../contract/route.ts';
import { AppError } from './app-error.ts';

export interface UserCaller {
  kind: 'user';
  userId: string;
  sessionId: string;
  isAnonymous: boolean;
  isMember: boolean;
}

/** A program with an API key: it acts in the organization that owns the key, and isn't a person. */
export interface KeyCaller {
  kind: 'key';
  keyId: string;
  organizationId: string;
  scope: ApiKey['scope'];
}

/** Someone visiting one agent: they can chat with it as themselves, and do nothing else. */
export interface VisitorCaller {
  kind: 'visitor';
  visitorId: string;
  /** Each visitor has a user of their own. */
  userId: string;
  organizationId: string;
  agentId: string;
  /** Origin of the site they visit it on; undefined if they came from no page. */
  site: string | undefined;
  /** The site or program has identified them. */
  isNamed: boolean;
  /** A program with the agent's own key speaks for them. */
  byKey: boolean;
}

/** Callers that can have a role in an organization. */
export type MemberCaller = UserCaller | KeyCaller;

/** Callers that can have conversations. */
export type ChatCaller = UserCaller | VisitorCaller;

export type Caller = MemberCaller | VisitorCaller | { kind: 'anonymous' };

/** The caller of a non-public call has been identified before its handler runs. */
type CallerOf<Who extends Access> = Who extends 'public'
  ? Caller
  : Who extends 'member'
    ? MemberCaller
    : Who extends 'chat'
      ? ChatCaller
      : UserCaller;

/** How the creator of something is recorded: the id of the person or the key. */
export function callerId(caller: MemberCaller | VisitorCaller): string {
  return caller.kind === 'key' ? caller.keyId : caller.userId;
}

/** For calls that only a person can make; keys are rejected. */
export function personOf(caller: MemberCaller): UserCaller {
  if (caller.kind === 'key') throw new AppError('auth/forbidden', 'A person has to do this.');
  return caller;
}

/** What a handler may know and say about the connection; nothing else of HTTP reaches it. */
export interface RequestContext {
  /** The client's address, from a trusted proxy or the socket. */
  address: string;
  /** Origin of this installation, for links. */
  origin: string;
  /** Origin of the page making the request, as reported by the browser; undefined if there is none. */
  site: string | undefined;
  /**
   * The client's preferred language; undefined if it names none. Not a getter: V8 retains what a getter of an object
   * literal refers to, here the whole request, until its next major garbage collection.
   */
  language: () => string | undefined;
  /** The client's location according to a trusted proxy; empty without one. */
  place: Partial<Location>;
  /** Identifies a repeated write, and includes its caller; undefined without the header. */
  writeKey: string | undefined;
  /** The client asked for `text/event-stream`. */
  wantsStream: boolean;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  cookies: {
    read: (name: string) => string | undefined;
    write: (name: string, value: string, options: { maxAgeSeconds: number }) => void;
    clear: (name: string) => void;
  };
}

/** Server-sent events instead of a JSON response; the stream's end is written as `[DONE]`. */
export class EventStream {
  readonly events: AsyncIterable<object>;
  /** True for an event that shows the reader something: the first one isn't delayed to be batched with others. */
  readonly isWord: (event: object) => boolean;
  constructor(events: AsyncIterable<object>, isWord = isDelta) {
    this.events = events;
    this.isWord = isWord;
  }
}

function isDelta(event: object): boolean {
  return 'delta' in event;
}

/** Redirects a browser requesting a page; a program gets the address. */
export class Redirect {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
}

/**
 * A file's bytes instead of a JSON response. They are generated as they are read, and generation stops when the reader
 * goes away.
 */
export class FileStream {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Readable;
  constructor(name: string, mediaType: string, bytes: Readable) {
    this.name = name;
    this.mediaType = mediaType;
    this.bytes = bytes;
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
) => Promise<ResultOf<R> | EventStream | FileStream | Redirect>;

/** One handler per call of an area; a missing one is a type error. */
export type Handlers<A extends Area> = { readonly [Name in keyof A]: Handler<A[Name]> };
