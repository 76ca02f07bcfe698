import type { ChatStreamEvent, Conversation, Message } from '../../contract/chat.ts';
import type { Handling } from '../../contract/handling.ts';
import { createClient, type ClientOptions } from '../../contract/client.ts';
import type { ParleyContract } from '../../contract/index.ts';
import { calls } from '../api/calls.ts';
import { commonCalls, STORED_PAGE_SIZE, streamWith } from '../transport/chat-calls.ts';
import { createOpener } from '../transport/conversation-opener.ts';
import { isWithPerson } from '../chat/shown-messages.ts';
import type { ChatTransport, PersonTransport } from '../chat/types.ts';
import type { Panel } from './panel.ts';
import { whenOnline } from '../ui/when-online.ts';
import { withoutCookies, type Visits } from './visits.ts';
import { otherWindows } from './windows.ts';

const LOOK_MS = 4000;
/** While the agent answers, only one poll in this many is made. */
const LOOKS_SKIPPED = 5;

/** The calls available to a visitor. */
type VisitorContract = Pick<
  ParleyContract,
  'chat' | 'history' | 'handover' | 'answer' | 'attachment' | 'voice' | 'purchase'
>;

/** These calls as this visitor. */
export function connectVisitor(visits: Visits) {
  const options: ClientOptions = { baseUrl: '', token: () => visits.token(), fetch: withoutCookies };
  const own = {
    chat: calls.chat,
    history: calls.history,
    handover: calls.handover,
    answer: calls.answer,
    attachment: calls.attachment,
    voice: calls.voice,
    purchase: calls.purchase,
  };
  const client = createClient<VisitorContract>(own, options);
  return { ...client, stream: streamWith(options) };
}

export type VisitorClient = ReturnType<typeof connectVisitor>;

interface TransportSetup {
  client: VisitorClient;
  agentId: string;
  visitorId: string;
  /** Null if the first message is to start one. */
  conversationId: string | null;
  /** The visitor chose this one, or a new one. */
  isChosen: boolean;
  canAskPerson: boolean;
  panel: Panel;
  onBegun: (conversationId: string) => void;
  /**
   * Called for each message once: the visitor's when it is stored, the answer when it is complete, a member's when it
   * is loaded.
   */
  onSaid: (message: Message) => void;
}

/** A visitor's conversation. Messages sent faster than they are answered wait for their turn. */
export function createVisitorTransport(setup: TransportSetup): ChatTransport {
  const { client, agentId, panel } = setup;
  const tell = teller(setup.onSaid);
  let turn = Promise.resolve();
  const { open, begin, resume, takeUp, current } = openerFor(setup);
  const windows = otherWindows(current, async (id) => {
    if (setup.isChosen) return false;
    const elsewhere = await client.chat.get({ id }).catch(() => null);
    return elsewhere?.conversation.agent.id === agentId && takeUp(elsewhere.conversation);
  });
  const people = peopleFor(setup, begin, current, windows);
  const tellAll = tellerOfBoth(tell, windows.tell);

  return {
    begun: setup.conversationId !== null,
    load: async (cursor, signal) => {
      const id = current();
      return id === null ? null : people.load(id, cursor, signal);
    },
    async send({ key, text, attachments }, signal) {
      const before = turn;
      let resolve = (): void => undefined;
      turn = new Promise((done) => (resolve = done));
      await before;
      try {
        const files = attachments.map((each) => each.id);
        const input = { id: await begin(), text, attachments: files, page: panel.page() };
        const events = await client.stream('send', input, signal, { 'idempotency-key': key });
        return observed(events, tellAll, resolve);
      } catch (error) {
        resolve();
        throw error;
      }
    },
    attach: async (signal) => {
      const id = current();
      return observed(id === null ? [] : await client.stream('attach', { id }, signal), tell);
    },
    again: async ({ type, ...what }, signal) =>
      observed(await client.stream(type, { id: await open(), ...what }, signal), tellAll),
    shop: () => shop(client, agentId, current()),
    ...commonCalls({ client, open, resume, current }),
    ...people.transport,
  };
}

function openerFor({ client, agentId, visitorId, conversationId, onBegun }: TransportSetup) {
  return createOpener<Conversation>({
    conversationId,
    keptAs: `${agentId} ${visitorId}`,
    make: async (temporary) => (await client.chat.create({ chatbotId: agentId, temporary })).conversation,
    read: async (id) => (await client.chat.get({ id })).conversation,
    keep: async (id) => (await client.history.update({ id, temporary: false })).conversation,
    isTemporary: () => false,
    onBegun: ({ id }) => onBegun(id),
  });
}

interface News {
  /** Undefined while there is nothing to check. */
  read: () => Promise<Pick<Conversation, 'updatedAt'> | undefined>;
  isWithPerson: () => boolean;
}

/** The handoff to a person and back, and news of members' messages. */
function peopleFor(
  { client, canAskPerson, conversationId, panel, onSaid }: TransportSetup,
  open: () => Promise<string>,
  current: () => string | null,
  windows: ReturnType<typeof otherWindows>,
) {
  const tellNew = newsTeller(conversationId === null, onSaid);
  let handling: Handling = 'bot';
  let isUnseen = false;
  const person: PersonTransport = {
    ask: async () => {
      const asked = await client.handover.ask({ id: await open() });
      handling = asked.handling;
      windows.tell();
      return asked;
    },
    goOn: async () => {
      handling = (await client.handover.cancel({ id: await open() })).handling;
      windows.tell();
      return handling;
    },
  };
  const read = async () => {
    const id = current();
    return id === null ? undefined : (await client.chat.get({ id, seen: seenIn(panel) })).conversation;
  };
  const watch: ChatTransport['watch'] = (listener) => {
    const endLooking = lookForNews({ read, isWithPerson: () => isWithPerson(handling) }, listener);
    // Messages that came while the panel was closed are loaded once more, so that they count as seen.
    const endHearing = panel.onShown(() => isUnseen && listener());
    const endWindows = windows.hear(listener);
    return () => {
      endLooking();
      endWindows();
      endHearing();
    };
  };
  return {
    load: async (id: string, cursor: string | undefined, signal: AbortSignal) => {
      isUnseen = !panel.isShown();
      const range = { id, cursor, count: STORED_PAGE_SIZE, orderBy: 'desc', seen: seenIn(panel) } as const;
      const page = await client.chat.listMessages(range, { signal });
      handling = page.handling;
      if (cursor === undefined) tellNew(page.messages);
      return page;
    },
    transport: { watch, ...(canAskPerson && { person }) },
  };
}

const seenIn = (panel: Panel) => (panel.isShown() ? 'true' : 'false');

/** A visitor has no socket: members' messages are noticed by polling, more often once a person was requested. */
function lookForNews({ read, isWithPerson }: News, listener: () => void): () => void {
  let seen: string | undefined;
  let looks = 0;
  const look = async () => {
    looks += 1;
    const isDue = isWithPerson() || looks % LOOKS_SKIPPED === 0;
    if (!isDue || document.visibilityState !== 'visible') return;
    const now = (await read().catch(() => undefined))?.updatedAt;
    // On the first poll it is unknown what has come since the page was loaded.
    if (now !== undefined && now !== seen) listener();
    seen = now ?? seen;
  };
  const timer = window.setInterval(() => void look(), LOOK_MS);
  return () => window.clearInterval(timer);
}

/** The provider's page opens alongside: inside another site's frame it would not be displayed. */
async function shop({ purchase }: VisitorClient, agentId: string, conversationId: string | null) {
  const { openShop } = await whenOnline(() => import('../transport/shop.ts'));
  return openShop({ purchase, agentId, conversationId, leaves: false });
}

function teller(onSaid: TransportSetup['onSaid']): (event: ChatStreamEvent) => void {
  const said = new Set<string>();
  return (event) => {
    if (event.type !== 'data-message') return;
    const { id, role, state } = event.data;
    if (said.has(id) || state === 'pending' || state === 'streaming') return;
    said.add(id);
    if (role === 'user' || state !== 'failed') onSaid(event.data);
  };
}

function tellerOfBoth(tell: ReturnType<typeof teller>, tellWindows: () => void): typeof tell {
  return (event) => {
    tell(event);
    if (event.type === 'data-message') tellWindows();
  };
}

/** Reports what members have written since the page was opened. `isNew`: there was nothing before. */
function newsTeller(isNew: boolean, onSaid: TransportSetup['onSaid']): (newestFirst: Message[]) => void {
  const known = new Set<string>();
  let isFirst = !isNew;
  return (newestFirst) => {
    for (const message of newestFirst.toReversed()) {
      if (!isFirst && message.role === 'operator' && !known.has(message.id)) onSaid(message);
      known.add(message.id);
    }
    isFirst = false;
  };
}

async function* observed(
  events: AsyncIterable<ChatStreamEvent> | ChatStreamEvent[],
  tell: (event: ChatStreamEvent) => void,
  done?: () => void,
): AsyncGenerator<ChatStreamEvent> {
  try {
    for await (const event of events) {
      tell(event);
      yield event;
    }
  } finally {
    done?.();
  }
}
