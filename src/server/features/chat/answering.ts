import type { ChatStreamEvent, Message } from '../../../contract/chat.ts';
import type { Deps } from '../../deps.ts';
import { EventStream, type ChatCaller, type RequestContext } from '../../call.ts';
import type { Kept, Sent } from './asking.ts';
import { NOT_STORED, settleGivenUp } from './interrupted.ts';
import { LiveAnswer, LiveAnswers } from './live.ts';
import { messageOf, readBy } from './present.ts';
import { reply } from './reply.ts';
import { whileInRoom } from './room-reader.ts';
import { Savers } from './saver.ts';
import * as store from './store.ts';
import type { StoredMessage } from './store.ts';
import type { Toolbox } from './tool-use.ts';
import type { Turn } from './turn-store.ts';

/** How often to check on an answer that another process is generating. */
const ELSEWHERE_POLL_MS = 250;

/** Members who answer instead of agents; provided by the inbox. */
export interface People {
  /** Something was said that a member is to answer. */
  heard: (key: store.ConversationKey) => void;
}

/** Starts answers and lets readers follow them, wherever they are generated. */
export class Answering {
  readonly #deps: Deps;
  readonly #toolbox: Toolbox;
  readonly #people: People;
  readonly #live = new LiveAnswers();
  readonly #savers: Savers;

  constructor(deps: Deps, toolbox: Toolbox, people: People) {
    this.#deps = deps;
    this.#toolbox = toolbox;
    this.#people = people;
    this.#savers = new Savers(deps.db);
  }

  /** Starts answering a stored turn. `done` is the stored answer; generation continues even if everyone stops following. */
  start(turn: Turn, caller: ChatCaller): { live: LiveAnswer; done: Promise<Message> } {
    const live = new LiveAnswer(turn.answer.id, turn.committed);
    const { conversationId, organizationId } = turn.answer;
    const kit = { toolbox: this.#toolbox, savers: this.#savers };
    const done = this.#live.start(conversationId, live, () => reply(this.#deps, turn, live, kit));
    const told = turn.kind === 'game' ? undefined : [caller.userId];
    const notify = () => this.notify({ organizationId, id: conversationId }, told);
    // Others in a room, and the same person's other windows, see the question and follow the answer from the start.
    const tellBegun = told ? () => this.#tellAsked(caller, conversationId) : notify;
    (turn.committed ?? Promise.resolve()).then(tellBegun, () => undefined);
    done.then(notify, (error: unknown) => {
      this.#deps.log.error({ err: error, conversationId }, 'an answer could not be stored');
      live.push({ type: 'error', errorText: NOT_STORED });
      settleGivenUp(this.#deps, turn.answer.id, NOT_STORED);
    });
    return { live, done };
  }

  /** The answer in the form requested: streamed, or once complete. */
  async answer(turn: Turn | Sent, caller: ChatCaller, { wantsStream }: RequestContext) {
    if (!('agent' in turn)) return this.#again(turn, caller, wantsStream);
    const { live, done } = this.start(turn, caller);
    await turn.committed;
    if (wantsStream) return this.streamTo(caller, turn.answer.conversationId, turn.kind, live.follow());
    return { message: await this.#asked(turn.question), answer: await this.#readBy(caller, await done) };
  }

  /** A message for a person to answer; its readers are notified. */
  keep({ kept, isNew }: Kept, caller: ChatCaller): { message: Message; answer: null } {
    const key = { organizationId: kept.organizationId, id: kept.conversationId };
    if (isNew) {
      this.notify(key, [caller.userId]);
      this.#people.heard(key);
    }
    return { message: messageOf(kept), answer: null };
  }

  find(conversationId: string): LiveAnswer | undefined {
    return this.#live.find(conversationId);
  }

  /** True while this process is generating this answer. */
  isMaking(conversationId: string, messageId: string): boolean {
    return this.find(conversationId)?.messageId === messageId;
  }

  /** The answer in progress, wherever it is generated, or its outcome. */
  follow(organizationId: string, answer: StoredMessage) {
    const live = this.find(answer.conversationId);
    return live?.messageId === answer.id ? live.follow() : this.#followElsewhere(organizationId, answer);
  }

  /** The answer in progress, for this reader: in a room, only as long as they are in it. */
  streamTo(
    { userId }: ChatCaller,
    conversationId: string,
    kind: store.StoredConversation['kind'],
    events: AsyncIterable<ChatStreamEvent>,
  ): EventStream {
    if (kind !== 'game') return new EventStream(events);
    return new EventStream(whileInRoom(events, userId, () => this.#openTo(userId, conversationId)));
  }

  async #openTo(userId: string, conversationId: string): Promise<store.StoredConversation | undefined> {
    const open = await this.#deps.db.in({ conversationId, userId }, (tx) =>
      store.findConversation(tx, conversationId, userId),
    );
    return open?.conversation;
  }

  /** The same for a complete answer. A reader who has since left isn't asked for anything. */
  async #readBy({ userId }: ChatCaller, answer: Message): Promise<Message> {
    if (answer.toolCalls.every(({ waitsFor }) => waitsFor === null)) return answer;
    const conversation = await this.#openTo(userId, answer.conversationId);
    return readBy(userId, conversation ?? { userId: '' }, answer);
  }

  /** Visitors have no sockets. */
  #tellAsked({ kind, userId }: ChatCaller, conversationId: string): void {
    if (kind === 'user') this.#deps.realtime.toUser(userId, 'conversation.asked', { conversationId });
  }

  /** Notifies these people, or else everyone in the room, that there is something to read. */
  notify(key: store.ConversationKey, userIds?: string[]): void {
    const tell = (ids: string[]) => {
      for (const id of ids)
        this.#deps.realtime.toUser(id, 'conversation.updated', { conversationId: key.id });
    };
    if (userIds) return tell(userIds);
    const { organizationId } = key;
    this.#deps.db
      .in({ organizationId }, (tx) => store.peopleOf(tx, key))
      .then((people) => tell(people.map(({ id }) => id)))
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'a room could not be notified'));
  }

  /** Ends all of this process's answers, each keeping what it has. */
  close(): Promise<void> {
    return this.#live.close();
  }

  async #again({ question, answer }: Sent, caller: ChatCaller, wantsStream: boolean) {
    const { organizationId, conversationId } = answer;
    const kind = isSaidInRoom(question) ? 'game' : 'chat';
    if (wantsStream) return this.streamTo(caller, conversationId, kind, this.follow(organizationId, answer));
    let current: Sent['answer'] | undefined = answer;
    for await (const event of this.follow(organizationId, answer)) void event;
    current = await this.#read(organizationId, answer.id);
    const whole = await this.#readBy(caller, messageOf(current ?? answer));
    return { message: await this.#asked(question), answer: whole };
  }

  /** The question; in a room with its author, as the others see it. */
  async #asked(question: StoredMessage): Promise<Message> {
    if (!isSaidInRoom(question)) return messageOf(question);
    const { authorId } = question;
    const author = await this.#deps.db.in({}, (tx) => store.findAuthor(tx, authorId));
    return messageOf({ ...question, author });
  }

  /** Follows an answer generated by another process by polling what it has stored, until it is settled. */
  async *#followElsewhere(organizationId: string, answer: StoredMessage) {
    let seen = '';
    // With everything its reader sees around it.
    let current = await this.#read(organizationId, answer.id);
    yield { type: 'start' as const, messageId: answer.id };
    yield { type: 'text-start' as const, id: '0' };
    while (current) {
      const delta = current.text.slice(seen.length);
      seen = current.text;
      if (delta) yield { type: 'text-delta' as const, id: '0', delta };
      if (current.runner === null) break;
      await new Promise((resolve) => setTimeout(resolve, ELSEWHERE_POLL_MS));
      current = await this.#read(organizationId, answer.id);
    }
    yield { type: 'text-end' as const, id: '0' };
    if (current) yield { type: 'data-message' as const, data: messageOf(current) };
    yield { type: 'finish' as const };
  }

  #read(organizationId: string, id: string): Promise<StoredMessage | undefined> {
    return this.#deps.db.in({ organizationId }, (tx) => store.findMessage(tx, organizationId, id));
  }
}

/** Outside rooms there is only one person, and no author is recorded. */
function isSaidInRoom(question: StoredMessage): question is StoredMessage & { authorId: string } {
  return question.authorId !== null;
}
