import type { Message } from '../../../contract/chat.ts';
import { AppError } from '../../app-error.ts';
import type { Agent } from '../../access/gate.ts';
import type { Deps } from '../../deps.ts';
import { EventStream, type RequestContext } from '../../call.ts';
import { LiveAnswer, LiveAnswers } from './live.ts';
import { messageOf } from './present.ts';
import { reply } from './reply.ts';
import * as store from './store.ts';
import type { StoredMessage, Turn } from './store.ts';

/** How often an answer that another process is making is looked at. */
const ELSEWHERE_POLL_MS = 250;

/** Starts answers and lets readers follow them, wherever they are made. */
export class Answering {
  readonly #deps: Deps;
  readonly #live = new LiveAnswers();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Begins to answer a stored turn. `done` is the stored answer; it goes on whoever stops following. */
  start(agent: Agent, turn: Turn, userId: string): { live: LiveAnswer; done: Promise<Message> } {
    const live = new LiveAnswer(turn.answer.id);
    const { conversationId } = turn.question;
    const done = this.#live.start(conversationId, live, () => reply(this.#deps, agent, turn, live));
    const notify = () => this.#deps.realtime.toUser(userId, 'conversation.updated', { conversationId });
    done.then(notify, (error: unknown) => {
      this.#deps.log.error({ err: error, conversationId }, 'an answer could not be stored');
      live.push({ type: 'error', errorText: 'The answer could not be stored.' });
    });
    return { live, done };
  }

  /** The answer as the request wants it: as it is made, or when it is whole. */
  async answer(agent: Agent, turn: Turn, userId: string, { wantsStream }: RequestContext) {
    const { live, done } = this.start(agent, turn, userId);
    if (wantsStream) return new EventStream(live.follow());
    return { message: messageOf(turn.question), answer: await done };
  }

  find(conversationId: string): LiveAnswer | undefined {
    return this.#live.find(conversationId);
  }

  /** Follows an answer made by another process by reading what it has stored, until it is settled. */
  async *followElsewhere(organizationId: string, answer: StoredMessage) {
    let seen = '';
    let current: StoredMessage | undefined = answer;
    yield { type: 'start' as const, messageId: answer.id };
    yield { type: 'text-start' as const, id: '0' };
    while (current) {
      const delta = current.text.slice(seen.length);
      seen = current.text;
      if (delta) yield { type: 'text-delta' as const, id: '0', delta };
      if (current.runner === null) break;
      await new Promise((resolve) => setTimeout(resolve, ELSEWHERE_POLL_MS));
      current = await this.#deps.db.in({ organizationId }, (tx) =>
        store.findMessage(tx, organizationId, answer.id),
      );
    }
    yield { type: 'text-end' as const, id: '0' };
    if (current) yield { type: 'data-message' as const, data: messageOf(current) };
    yield { type: 'finish' as const };
  }

  /** Ends all answers of this process, each keeping what it has. */
  close(): Promise<void> {
    return this.#live.close();
  }
}

export function busy(): AppError {
  return new AppError('chat/busy');
}
