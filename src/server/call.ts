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

/** A program with an API key: it acts in the one organization that owns the key, and is not a person. */
export interface KeyCaller {
  kind: 'key';
  keyId: string;
  organizationId: string;
  scope: ApiKey['scope'];
}

/** Someone who visits one agent: they can chat with it as themselves, and do nothing else. */
export interface VisitorCaller {
  kind: 'visitor';
  visitorId: string;
  /** The user of their own that visitors have. */
  userId: string;
  organizationId: string;
  agentId: string;
  /** Origin of the site that they visit it on; undefined for who came from no page. */
  site: string | undefined;
  /** The site or the program says who they are. */
  isNamed: boolean;
  /** A program with the agent's own key speaks for them. */
  byKey: boolean;
}

/** Who may have a role in an organization. */
export type MemberCaller = UserCaller | KeyCaller;

/** Who may have conversations. */
export type ChatCaller = UserCaller | VisitorCaller;

export type Caller = MemberCaller | VisitorCaller | { kind: 'anonymous' };

/** A caller of a call that is not public has been identified before its handler runs. */
type CallerOf<Who extends Access> = Who extends 'public'
  ? Caller
  : Who extends 'member'
    ? MemberCaller
    : Who extends 'chat'
      ? ChatCaller
      : UserCaller;

/** How the maker of something is recorded: the id of the person, or of the key. */
export function callerId(caller: MemberCaller | VisitorCaller): string {
  return caller.kind === 'key' ? caller.keyId : caller.userId;
}

/** For calls that only a person can make; keys are refused. */
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
  /** Origin of the page that makes the request, as its browser says; undefined when none does. */
  site: string | undefined;
  /**
   * The first that the client asks for; undefined where it asks for none. No getter: V8 keeps what a getter of an object literal
   * refers to, here the whole request, until its next large collection.
   */
  language: () => string | undefined;
  /** Where a trusted proxy says that the client is; empty without one. */
  place: Partial<Location>;
  /** By which a repeated write is known as the same, with its caller in it; undefined without the header. */
  writeKey: string | undefined;
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
  /** True of an event that shows a reader something: the first is not kept waiting for others. */
  readonly isWord: (event: object) => boolean;
  constructor(events: AsyncIterable<object>, isWord = isDelta) {
    this.events = events;
    this.isWord = isWord;
  }
}

function isDelta(event: object): boolean {
  return 'delta' in event;
}

/** Sends a browser that asked for a page on to another; a program is told the address. */
export class Redirect {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
}

/** The bytes of a file in place of a JSON answer. They are made as they are read, and their making is ended with their reader. */
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

/** One handler for each call of an area; a missing one is a type error. */
export type Handlers<A extends Area> = { readonly [Name in keyof A]: Handler<A[Name]> };
