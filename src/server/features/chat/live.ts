import type { ChatStreamEvent } from '../../../contract/chat.ts';

/**
 * An answer in progress, as its readers see it. It belongs to the conversation, not to a connection: latecomers first
 * get everything from the beginning, and it doesn't end when readers leave.
 */
export class LiveAnswer {
  readonly messageId: string;
  readonly abort = new AbortController();
  readonly #begun: Promise<boolean>;
  readonly #events: ChatStreamEvent[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  /** Nothing is shown until `committed` resolves; if that is rejected, there is nothing to show. */
  constructor(messageId: string, committed: Promise<void> = Promise.resolve()) {
    this.messageId = messageId;
    this.#begun = committed.then(
      () => true,
      () => false,
    );
  }

  push(event: ChatStreamEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Every event from the first one on; ends with the answer. */
  async *follow(): AsyncGenerator<ChatStreamEvent> {
    if (!(await this.#begun)) return;
    let next = 0;
    while (true) {
      const event = this.#events[next];
      if (event !== undefined) {
        next += 1;
        yield event;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** The answers this process is generating, by conversation. Only a shortcut: the database is authoritative. */
export class LiveAnswers {
  readonly #byConversation = new Map<string, { answer: LiveAnswer; done: Promise<unknown> }>();
  #closing = false;

  find(conversationId: string): LiveAnswer | undefined {
    return this.#byConversation.get(conversationId)?.answer;
  }

  /** Runs `work` for an answer that others can follow until it has ended. */
  start<T>(conversationId: string, answer: LiveAnswer, work: () => Promise<T>): Promise<T> {
    const done = work().finally(() => {
      // The next one may have started before this one learned that it is stored.
      if (this.find(conversationId) === answer) this.#byConversation.delete(conversationId);
      answer.end();
    });
    this.#byConversation.set(conversationId, { answer, done });
    if (this.#closing) answer.abort.abort('shutdown');
    return done;
  }

  /** Ends all answers, each keeping what it has; resolves once all are stored. */
  async close(): Promise<void> {
    this.#closing = true;
    const running = [...this.#byConversation.values()];
    for (const { answer } of running) answer.abort.abort('shutdown');
    await Promise.allSettled(running.map(({ done }) => done));
  }
}
