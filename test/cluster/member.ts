import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knowledge } from '../../src/contract/knowledge.ts';
import { registerInBrowser, type BrowserClient } from '../browser-client.ts';
import { connect, type TestClient } from '../client.ts';
import type { Message } from '../../src/contract/chat.ts';
import { Listener } from './listeners.ts';
import { STORY } from './story.ts';

const TRY_AGAIN_MS = 100;
const GIVE_UP_MS = 120_000;

/** Enough to catch a worker in the middle of it. */
const text = Array.from(
  { length: 150 },
  (_, index) => `Paragraph number ${index} speaks about the topic called subject${index}.`,
).join('\n\n');

/** A person with an agent, who adds knowledge and begins conversations, and retries as long as they are told to. */
export class Member {
  readonly #browser: BrowserClient;
  readonly #organizationId: string;
  readonly agentId: string;
  /** All attempts in progress. */
  readonly #adding: Promise<string>[] = [];
  /** Responses that tell a client not to retry. */
  readonly refusals: string[] = [];

  private constructor(browser: BrowserClient, organizationId: string, agentId: string) {
    this.#browser = browser;
    this.#organizationId = organizationId;
    this.agentId = agentId;
  }

  static async register(url: string): Promise<Member> {
    const browser = await registerInBrowser(url, 'eve');
    const { organization } = await browser.client.organization.create({ name: 'Readers' });
    const { chatbot } = await browser.client.chatbot.create({
      organizationId: organization.id,
      name: 'Reader',
    });
    return new Member(browser, organization.id, chatbot.id);
  }

  token(): string | undefined {
    return this.#browser.token();
  }

  /** Adds a knowledge item for the agent; `items` waits until it was accepted. */
  teach(): void {
    let key: string = randomUUID();
    const description = `Part ${this.#adding.length}`;
    const input = {
      id: this.agentId,
      organizationId: this.#organizationId,
      type: 'text' as const,
      description,
      text,
    };
    const adding = this.#again(async ({ knowledge: area }) => {
      try {
        return (await area.create(input, { headers: { 'idempotency-key': key } })).knowledge.id;
      } catch (error) {
        if ((error as { code?: string }).code !== 'idempotency/answer-lost') throw error;
        // As the error says: check first what exists.
        const { allKnowledge } = await area.list({ id: this.agentId });
        const there = allKnowledge.find((item) => item.description === description);
        if (there) return there.id;
        key = randomUUID();
        throw error;
      }
    });
    adding.catch(() => undefined);
    this.#adding.push(adding);
  }

  /** All items as they are now, in the order of `teach`. */
  async items(): Promise<Knowledge[]> {
    const ids = await Promise.all(this.#adding);
    const read = async (knowledgeId: string) => {
      const { knowledge } = await this.#again(({ knowledge: area }) => {
        return area.get({ id: this.agentId, knowledgeId });
      });
      return knowledge;
    };
    return Promise.all(ids.map(read));
  }

  /** Sends a message in a new conversation through one server; returns the conversation's ID. */
  async sayAt(url: string): Promise<string> {
    const client = connect({ baseUrl: url, token: () => this.token() });
    const { conversation } = await client.chat.create({ chatbotId: this.agentId });
    await client.chat.send({ id: conversation.id, text: 'Who hears this?' });
    return conversation.id;
  }

  /** Requests a long answer through one server; returns the conversation's ID once text has arrived. */
  async beginStoryAt(url: string): Promise<string> {
    const client = connect({ baseUrl: url, token: () => this.token() });
    const { conversation } = await client.chat.create({ chatbotId: this.agentId });
    client.chat.send({ id: conversation.id, text: STORY }).catch(() => undefined);
    while ((await this.lastAnswer(conversation.id)).text.length < 50) await delay(TRY_AGAIN_MS);
    return conversation.id;
  }

  /** The agent's last answer there, complete or in progress; empty if it has not begun. */
  async lastAnswer(conversationId: string): Promise<Pick<Message, 'text' | 'state'>> {
    const { messages } = await this.#again(({ chat }) => chat.listMessages({ id: conversationId }));
    const said = messages.filter(({ role }) => role === 'assistant');
    return said.at(-1) ?? { text: '', state: 'complete' };
  }

  /** A tab on one server. */
  listenAt(url: string): Listener {
    return new Listener(url, { token: () => this.token(), agentId: this.agentId });
  }

  async #again<T>(call: (client: TestClient) => Promise<T>): Promise<T> {
    for (const since = performance.now(); ; await delay(TRY_AGAIN_MS)) {
      try {
        return await call(this.#browser.client);
      } catch (error) {
        const { status = -1, code } = error as { status?: number; code?: string };
        if (![0, 409, 429, 503].includes(status)) this.refusals.push(`${status} ${code}`);
        if (performance.now() - since > GIVE_UP_MS) throw error;
      }
    }
  }
}
