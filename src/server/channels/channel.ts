import type { PluginType } from '../../contract/plugin-names.ts';
import type { PluginSettings } from '../../contract/plugin-types.ts';

/** One plugin as its channel knows it, with its credentials in the clear. */
interface ChannelAccount {
  pluginId: string;
  /** Of the last change: what was opened before it is opened anew. */
  version: string;
  settings: PluginSettings;
  credentials: Record<string, string>;
}

/** A message as it has come in. */
export interface Received {
  /** The same message has the same one, however often its service sends it. */
  externalId: string;
  /** Where the answer goes: what `send` takes. */
  place: string;
  person: string;
  personName: string;
  text: string;
  files: ReceivedFile[];
  /** It is meant for the agent: said to it alone, or naming it. */
  isAddressed: boolean;
  /** What the service wants back with the answer, kept until it is brought. */
  replyTo?: string;
}

export interface ReceivedFile {
  name: string;
  /** As its service calls it: what `readFile` takes. */
  reference: string;
  /** Said instead of written. */
  isSpoken: boolean;
}

/** Where a part of an answer goes. */
export interface Destination {
  place: string;
  /** Of the message that is answered; null where its service wants nothing back. */
  replyTo: string | null;
  /** How many parts of the same answer are there already. */
  partsBefore: number;
}

/** How far a service that sends nothing was asked, by its feeds. */
export type Asked = Record<string, AskedFeed>;

export interface AskedFeed {
  /** The id of the newest message that was read, also of one that was none for the agent. */
  newest: string;
  /** It wants to be asked again from then on; ISO 8601. */
  again: string;
  /** What its service said in place of what was asked for. */
  problem: string | null;
}

/** What keeps its service from telling what people write; null when nothing does, or nothing was asked. */
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
  /** The longest message that the service takes, in characters. */
  partMaxCharacters: number;
  /** For a service that counts otherwise: what goes to `place` as one message each, in place of cutting by `partMaxCharacters`. */
  cut?: (place: string, markdown: string) => Promise<string[]>;
  /**
   * Reads what its service has sent. `response` is what the service is told once `messages` are kept; where the proof of who
   * sent it is missing or wrong, it is a refusal and there are no messages. `unkept` is for a service that promises the person
   * an answer: what it is told instead when nothing was kept.
   */
  receive: (request: Request) => Promise<Receipt>;
  /**
   * Asks a service that sends nothing for what people wrote after `since`, or after what was read of a feed last. A feed that
   * cannot be read keeps no other from being read. Errors: as `send`, where nothing could be asked for.
   */
  poll?: (asked: Asked, since: Date) => Promise<Polled>;
  /** Brings Markdown of at most `partMaxCharacters` there. Errors: `channel/unavailable`, `channel/refused`. */
  send: (to: Destination, markdown: string) => Promise<void>;
  /** Shows that an answer is being made; it wears off. Never fails. */
  showTyping: (to: Omit<Destination, 'partsBefore'>) => Promise<void>;
  /** At most `ATTACHMENT_MAX_BYTES`. Errors: `channel/unavailable`; others say in words why it cannot be had. */
  readFile: (reference: string) => Promise<Buffer>;
  /** Asks whose account it is and tells the service where to send what people write. Errors: as `send`. */
  connect: (webhookUrl: string) => Promise<{ accountName: string }>;
  /** Tells the service to send nothing any more. Errors: as `send`. */
  leave: () => Promise<void>;
}

export interface Channel {
  /** Secrets of our own that an account has beside those given, made once. */
  ownSecrets: readonly string[];
  /** Of `ownSecrets`: the one that a member has to give to the service. */
  verifyToken?: string;
  /** Its service sends nothing: it is asked (`poll`), and has no address here. */
  isAsked?: boolean;
  open: (account: ChannelAccount) => OpenChannel;
}

export interface Channels {
  find: (type: PluginType) => Channel | undefined;
  /** The same one for the same version of an account. Undefined for a type that brings no messages. */
  open: (type: PluginType, account: ChannelAccount) => OpenChannel | undefined;
}

/** As many accounts stay open, the last used ones. */
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

/** What a service is told whose proof is missing or wrong (401), or who sent nothing that can be read (400). */
export function refusal(status: 400 | 401): { response: Response; messages: [] } {
  return { response: new Response(null, { status }), messages: [] };
}

/** Undefined where there is no JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
