import type { PluginType } from '../../contract/plugin-names.ts';
import type { PluginSettings } from '../../contract/plugin-types.ts';

/** One plugin as its channel sees it, with decrypted credentials. */
interface ChannelAccount {
  pluginId: string;
  /** Changes with every edit: whatever was opened for an earlier version is reopened. */
  version: string;
  settings: PluginSettings;
  credentials: Record<string, string>;
}

/** An incoming message. */
export interface Received {
  /** Identical for the same message, however often its service sends it. */
  externalId: string;
  /** Where the answer goes: the argument for `send`. */
  place: string;
  person: string;
  personName: string;
  text: string;
  files: ReceivedFile[];
  /** It is meant for the agent: sent in a direct chat, or mentioning it. */
  isAddressed: boolean;
  /** What the service wants back with the answer; stored until the answer is delivered. */
  replyTo?: string;
}

export interface ReceivedFile {
  name: string;
  /** The service's reference: the argument for `readFile`. */
  reference: string;
  /** Spoken rather than written. */
  isSpoken: boolean;
}

/** Where part of an answer goes. */
export interface Destination {
  place: string;
  /** From the message being answered; null if its service wants nothing back. */
  replyTo: string | null;
  /** How many parts of the same answer have been delivered already. */
  partsBefore: number;
}

/** How far a polled service has been read, by feed. */
export type Asked = Record<string, AskedFeed>;

export interface AskedFeed {
  /** The id of the newest message read, including ones not meant for the agent. */
  newest: string;
  /** The service wants the next poll no earlier than this; ISO 8601. */
  again: string;
  /** The error the service returned instead of messages. */
  problem: string | null;
}

/** What prevents the service from reporting messages; null if nothing does, or it wasn't polled. */
export function problemIn(asked: Asked | null): string | null {
  return Object.values(asked ?? {}).find(({ problem }) => problem !== null)?.problem ?? null;
}

export interface Polled {
  /** Oldest first within a feed. */
  messages: Received[];
  asked: Asked;
}

export interface Receipt {
  response: Response;
  messages: Received[];
  unkept?: Response;
}

/** A channel for one account. */
export interface OpenChannel {
  /** The longest message the service accepts, in characters. */
  partMaxCharacters: number;
  /**
   * For a service that counts differently: splits the text into the messages to send to `place`, instead of cutting by
   * `partMaxCharacters`.
   */
  cut?: (place: string, markdown: string) => Promise<string[]>;
  /**
   * Parses what the service has sent. `response` is returned to the service once `messages` are stored; if the sender's
   * authentication is missing or wrong, it is a rejection without messages. `unkept` is for a service that promises the
   * person an answer: it is returned instead if nothing was stored.
   */
  receive: (request: Request) => Promise<Receipt>;
  /**
   * Polls a service that sends nothing for messages written after `since`, or after the last ones read from a feed. An
   * unreadable feed doesn't keep the others from being read. Errors: as for `send`, if nothing could be polled.
   */
  poll?: (asked: Asked, since: Date) => Promise<Polled>;
  /** Delivers Markdown of at most `partMaxCharacters`. Errors: `channel/unavailable`, `channel/refused`. */
  send: (to: Destination, markdown: string) => Promise<void>;
  /** Shows that an answer is being written; expires by itself. Never fails. */
  showTyping: (to: Omit<Destination, 'partsBefore'>) => Promise<void>;
  /** At most `ATTACHMENT_MAX_BYTES`. Errors: `channel/unavailable`; other errors say in words why the file is unavailable. */
  readFile: (reference: string) => Promise<Buffer>;
  /** Looks up whose account it is, and tells the service where to send messages. Errors: as for `send`. */
  connect: (webhookUrl: string) => Promise<{ accountName: string }>;
  /** Tells the service to stop sending. Errors: as for `send`. */
  leave: () => Promise<void>;
}

export interface Channel {
  /** Secrets we generate once for an account, in addition to the given ones. */
  ownSecrets: readonly string[];
  /** The one of `ownSecrets` that a member has to give to the service. */
  verifyToken?: string;
  /** Its service sends nothing: it is polled (`poll`), and has no address here. */
  isAsked?: boolean;
  open: (account: ChannelAccount) => OpenChannel;
}

export interface Channels {
  find: (type: PluginType) => Channel | undefined;
  /** Returns the same instance for the same version of an account. Undefined for a type that has no messages. */
  open: (type: PluginType, account: ChannelAccount) => OpenChannel | undefined;
}

/** How many accounts stay open, the most recently used ones. */
const OPEN_MAX = 200;

export function createChannels(byType: Partial<Record<PluginType, Channel>>): Channels {
  const opened = new Map<string, { version: string; channel: OpenChannel }>();
  return {
    find: (type) => byType[type],
    open: (type, account) => {
      const known = opened.get(account.pluginId);
      opened.delete(account.pluginId);
      const channel = known?.version === account.version ? known.channel : byType[type]?.open(account);
      if (!channel) return undefined;
      opened.set(account.pluginId, { version: account.version, channel });
      const [oldest] = opened.keys();
      if (opened.size > OPEN_MAX && oldest !== undefined) opened.delete(oldest);
      return channel;
    },
  };
}

/** The response to a service whose authentication is missing or wrong (401), or which sent something unreadable (400). */
export function refusal(status: 400 | 401): { response: Response; messages: [] } {
  return { response: new Response(null, { status }), messages: [] };
}

/** Undefined if it isn't JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
