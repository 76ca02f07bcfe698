import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TestClient } from '../client.ts';
import { registerInBrowser } from '../browser-client.ts';

/** What a client saw completed: the answer had arrived. */
interface Acknowledged {
  text: string;
  messageId: string;
  sequence: number;
}

interface Conversation {
  id: string;
  client: TestClient;
  acknowledged: Acknowledged[];
  /** The time of the last acknowledgment, on the clock of `performance.now()`. */
  lastAt: number;
}

/** How long a client retries one write before the run has failed. */
const GIVE_UP_MS = 60_000;
const TRY_AGAIN_MS = 50;

/**
 * People who send one message after the other, each until it is acknowledged, with one key for all attempts at a
 * message, whatever happens to the server meanwhile; and the check of the history afterwards.
 */
export class Writers {
  readonly #conversations: Conversation[];
  #hasStopped = false;
  readonly #done: Promise<void>[];
  readonly #giveUpMs: number;
  /** The time of the last acknowledged write, on the clock of `performance.now()`. */
  lastAt = 0;
  /** The longest a write took from its first attempt; set it to 0 before a period to measure. */
  slowestMs = 0;
  /** Responses that tell a client not to retry: anything but 409, 429, 503, and no response at all. */
  readonly refusals: string[] = [];

  private constructor(conversations: Conversation[], giveUpMs: number) {
    this.#conversations = conversations;
    this.#giveUpMs = giveUpMs;
    this.#done = conversations.map((conversation, writer) => this.#write(conversation, writer));
    // A client that gives up is reported when all are awaited; until then it must not count as an unhandled rejection.
    for (const done of this.#done) done.catch(() => undefined);
  }

  /** `heldMs`: how long the server may be suspended, when nobody can be answered. */
  static async start(url: string, agents: number, heldMs = 0): Promise<Writers> {
    const owner = await registerInBrowser(url, 'ada');
    const { organization } = await owner.client.organization.create({ name: 'Torture' });
    const { chatbot } = await owner.client.chatbot.create({
      organizationId: organization.id,
      name: 'Helper',
    });
    const conversations: Conversation[] = [];
    for (let index = 0; index < agents; index += 1) {
      const client = connect({ baseUrl: url, token: owner.token });
      const { conversation } = await client.chat.create({ chatbotId: chatbot.id });
      conversations.push({ id: conversation.id, client, acknowledged: [], lastAt: 0 });
    }
    return new Writers(conversations, GIVE_UP_MS + heldMs);
  }

  get acknowledged(): number {
    return this.#conversations.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  /** Milliseconds until the next write is acknowledged. */
  async untilNext(): Promise<number> {
    const since = performance.now();
    while (this.lastAt < since) {
      if (performance.now() - since > GIVE_UP_MS) throw new Error('No further write was acknowledged.');
      await delay(5);
    }
    return this.lastAt - since;
  }

  /** Waits until each of them has had a write acknowledged. */
  async untilEach(): Promise<void> {
    const since = performance.now();
    while (this.#conversations.some(({ lastAt }) => lastAt < since)) {
      if (performance.now() - since > GIVE_UP_MS)
        throw new Error('Some writers got no further acknowledgment.');
      await delay(5);
    }
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    await Promise.all(this.#done);
  }

  /** What is wrong with the history, in words; empty if nothing is. */
  async faults(): Promise<string[]> {
    return (await Promise.all(this.#conversations.map(faultsOf))).flat();
  }

  async #write(conversation: Conversation, writer: number): Promise<void> {
    const { id, client, acknowledged } = conversation;
    for (let number = 0; !this.#hasStopped; number += 1) {
      const text = `Writer ${writer} says number ${number}.`;
      const headers = { 'idempotency-key': randomUUID() };
      const since = performance.now();
      for (;;) {
        try {
          const signal = AbortSignal.timeout(this.#giveUpMs);
          const { message } = await client.chat.send({ id, text }, { headers, signal });
          acknowledged.push({ text, messageId: message.id, sequence: message.sequence });
          this.lastAt = performance.now();
          conversation.lastAt = this.lastAt;
          this.slowestMs = Math.max(this.slowestMs, this.lastAt - since);
          break;
        } catch (error) {
          this.#note(error);
          if (performance.now() - since > this.#giveUpMs) throw error;
          await delay(TRY_AGAIN_MS);
        }
      }
    }
  }

  #note(error: unknown): void {
    const { status, code } = error as { status?: number; code?: string };
    if (status !== undefined && ![0, 409, 429, 503].includes(status)) this.refusals.push(`${status} ${code}`);
  }
}

async function faultsOf({ id, client, acknowledged }: Conversation): Promise<string[]> {
  const said = [];
  let cursor: string | undefined;
  do {
    const page = await client.chat.listMessages({ id, count: 100, ...(cursor && { cursor }) });
    said.push(...page.messages.filter(({ role }) => role === 'user'));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  const stored = said.toSorted((a, b) => a.sequence - b.sequence);
  const faults: string[] = [];
  for (const { text, messageId, sequence } of acknowledged) {
    const found = stored.filter((message) => message.text === text);
    if (found.length === 0) faults.push(`lost: ${text}`);
    else if (found.length > 1) faults.push(`${found.length} times: ${text}`);
    else if (found[0]?.id !== messageId || found[0].sequence !== sequence) faults.push(`changed: ${text}`);
  }
  const order = stored.map(({ text }) => Number(/number (\d+)/.exec(text)?.[1]));
  if (order.some((number, index) => index > 0 && number < (order[index - 1] ?? 0)))
    faults.push(`out of order: ${order.join(' ')}`);
  return faults;
}
