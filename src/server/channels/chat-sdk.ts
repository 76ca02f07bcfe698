import { AsyncLocalStorage } from 'node:async_hooks';
import type { Adapter, Chat, Logger, Message, StateAdapter } from 'chat';
import { AppError } from '../app-error.ts';
import { refusal, type OpenChannel, type Received } from './channel.ts';

/**
 * What the Chat SDK's adapters do for a channel: they know the service's signatures, messages and formatting. Storage,
 * and who is answered in what order, is up to us, in the database (docs/decisions/0030-channels.md). An adapter is
 * loaded with its first incoming or outgoing message: an installation without channels pays nothing for them.
 */
export function speakBy(load: () => Promise<Adapter>): Pick<OpenChannel, 'receive' | 'send' | 'showTyping'> {
  const arriving = new AsyncLocalStorage<Received[]>();
  let loaded: Promise<{ chat: Chat; adapter: Adapter }> | undefined;
  const open = () => {
    loaded ??= begin(load, arriving).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    receive: async (request) => {
      const { chat, adapter } = await open();
      const messages: Received[] = [];
      const tasks: Promise<unknown>[] = [];
      try {
        const response = await arriving.run(messages, async () =>
          requireHandler(chat, adapter.name)(request, { waitUntil: (task) => void tasks.push(task) }),
        );
        await Promise.all(tasks);
        return { response, messages };
      } catch (error) {
        // An adapter accesses signed fields without checking that they exist.
        if (error instanceof TypeError) return refusal(400);
        throw error;
      }
    },
    send: async ({ place }, markdown) => {
      const { adapter } = await open();
      await adapter.postMessage(place, { markdown }).catch(asFailure);
    },
    showTyping: async ({ place }) => {
      await open()
        .then(({ adapter }) => adapter.startTyping(place))
        .catch(() => undefined);
    },
  };
}

async function begin(
  load: () => Promise<Adapter>,
  arriving: AsyncLocalStorage<Received[]>,
): Promise<{ chat: Chat; adapter: Adapter }> {
  const [{ Chat }, adapter] = await Promise.all([import('chat'), load()]);
  const collect = (isAddressed: boolean) => (_thread: unknown, message: Message) => {
    if (!message.author.isMe && message.author.isBot !== true)
      arriving.getStore()?.push(receivedOf(message, isAddressed, adapter.userName));
  };
  const chat = new Chat({
    userName: adapter.userName,
    adapters: { [adapter.name]: adapter },
    state: forgetful,
    concurrency: 'concurrent',
    logger: silent,
  });
  chat.onDirectMessage(collect(true));
  chat.onNewMention(collect(true));
  chat.onNewMessage(/^/, collect(false));
  // Some services distinguish commands (`/start`) from messages; we treat them as messages.
  chat.onSlashCommand(({ raw }) => {
    const message = adapter.parseMessage(raw);
    const isNamed = message.text.toLowerCase().includes(`@${adapter.userName.toLowerCase()}`);
    return collect(adapter.isDM?.(message.threadId) === true || isNamed)(undefined, message);
  });
  await chat.initialize();
  return { chat, adapter };
}

type Handler = (
  request: Request,
  options: { waitUntil: (task: Promise<unknown>) => void },
) => Promise<Response>;

function requireHandler(chat: Chat, name: string): Handler {
  const handler = (chat.webhooks as Record<string, Handler | undefined>)[name];
  if (!handler) throw new Error(`The Chat SDK has no adapter ${name}.`);
  return handler;
}

function receivedOf(message: Message, isAddressed: boolean, ownName: string): Received {
  const { fullName, userName, userId } = message.author;
  return {
    externalId: message.id,
    place: message.threadId,
    person: userId,
    personName: fullName || userName || userId,
    text: withoutOwnName(message.text, ownName),
    files: message.attachments.flatMap(({ name, type, fetchMetadata }) => {
      const reference = fetchMetadata?.['fileId'];
      return reference ? [{ name: name ?? type, reference, isSpoken: type === 'audio' }] : [];
    }),
    isAddressed,
  };
}

/** Mentioning the agent addresses it but isn't part of the message. */
function withoutOwnName(text: string, ownName: string): string {
  const trimmed = text.trim();
  const name = `@${ownName}`.toLowerCase();
  return trimmed.toLowerCase().startsWith(name) ? trimmed.slice(name.length).trim() : trimmed;
}

/** What a service rejects it will reject again; any other failure may be temporary. */
function asFailure(error: unknown): never {
  const { code, statusCode, status } = error as { code?: unknown; statusCode?: unknown; status?: unknown };
  const said = [status, statusCode].find((each): each is number => typeof each === 'number');
  const refusals = [
    'AUTH_FAILED',
    'PERMISSION_DENIED',
    'VALIDATION_ERROR',
    'NOT_FOUND',
    'RESOURCE_NOT_FOUND',
  ];
  const isRefused =
    (said !== undefined && said >= 400 && said < 500 && said !== 429) || refusals.includes(String(code));
  throw new AppError(isRefused ? 'channel/refused' : 'channel/unavailable', undefined, { cause: error });
}

/** Stores nothing: a message that wasn't stored here must get through when its service sends it again. */
const forgetful: StateAdapter = {
  connect: async () => undefined,
  disconnect: async () => undefined,
  acquireLock: async (threadId, ttlMs) => ({ threadId, token: 'none', expiresAt: Date.now() + ttlMs }),
  extendLock: async () => true,
  releaseLock: async () => undefined,
  forceReleaseLock: async () => undefined,
  get: async () => null,
  set: async () => undefined,
  setIfNotExists: async () => true,
  delete: async () => undefined,
  appendToList: async () => undefined,
  getList: async () => [],
  enqueue: async () => 0,
  dequeue: async () => null,
  queueDepth: async () => 0,
  subscribe: async () => undefined,
  unsubscribe: async () => undefined,
  isSubscribed: async () => false,
};

/** An adapter may include tokens in its log output; failures are reported by what it throws. */
export const silent: Logger = {
  child: () => silent,
  debug: () => undefined,
  error: () => undefined,
  info: () => undefined,
  warn: () => undefined,
};
