import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '../../src/server/db/embedded.ts';
import { registerInBrowser, type BrowserClient } from '../../test/browser-client.ts';
import { freePort } from '../../test/e2e/server.ts';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';
import { Child } from '../child.ts';

/** An agent with knowledge, and conversations with it to use in rotation. */
export interface Stand {
  owner: BrowserClient;
  organizationId: string;
  agentId: string;
  conversations: string[];
}

/** Parley as started in production, on its own database, with a provider that speaks OpenAI's protocol. */
export class Stage {
  readonly url: string;
  readonly databaseUrl: string;
  readonly inspectorPort: number;
  parley: Child;
  readonly #environment: Record<string, string>;
  readonly #close: () => Promise<void>;

  private constructor(
    environment: Record<string, string>,
    parley: Child,
    { databaseUrl, inspectorPort }: { databaseUrl: string; inspectorPort: number },
    close: () => Promise<void>,
  ) {
    this.#environment = environment;
    this.parley = parley;
    this.url = parley.address;
    this.databaseUrl = databaseUrl;
    this.inspectorPort = inspectorPort;
    this.#close = close;
  }

  static async start(): Promise<Stage> {
    const dataDir = await makeTemporaryFolder('load');
    const postgres = await startEmbeddedPostgres({ dataDir });
    const provider = await Child.start('bench/chat-provider.ts', ['20'], {}, /at (\S+)/);
    const inspectorPort = await freePort();
    const environment = {
      NODE_ENV: 'production',
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.connectionString,
      LOG_LEVEL: 'error',
      SEED_DEMO: 'off',
      BILLING_MODE: 'off',
      TRUSTED_PROXIES: '127.0.0.1',
      OPENAI_API_KEY: 'sk-load',
      OPENAI_BASE_URL: provider.address,
      OPENAI_MODEL: 'stand-in,steady,slow',
      NODE_OPTIONS: `--inspect-port=${inspectorPort}`,
    };
    const parley = await Child.parley(environment);
    const databaseUrl = postgres.connectionString;
    return new Stage(environment, parley, { databaseUrl, inspectorPort }, async () => {
      await provider.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    });
  }

  async restart(): Promise<void> {
    await this.parley.stop();
    this.parley = await Child.parley(this.#environment);
  }

  /** An organization with an agent that answers with this model of the stand-in. */
  async stand(name: string, model: string, conversations: number): Promise<Stand> {
    const owner = await registerInBrowser(this.url, name);
    const { organization } = await owner.client.organization.create({ name });
    const { chatbot } = await owner.client.chatbot.create({ organizationId: organization.id, name });
    const modelSettings = { model: `openai/${model}`, temperature: 0.3, maxTokens: 1024 };
    const agent = { id: chatbot.id, organizationId: organization.id };
    await owner.client.chatbot.update({ ...agent, modelSettings });
    const text = 'The shop says many words about its lamps. Its opening hours are from nine to five.';
    await owner.client.knowledge.create({ ...agent, type: 'text', description: 'Shop', text });
    const ids: string[] = [];
    for (let index = 0; index < conversations; index += 1)
      ids.push((await owner.client.chat.create({ chatbotId: chatbot.id })).conversation.id);
    return { owner, organizationId: organization.id, agentId: chatbot.id, conversations: ids };
  }

  async close(): Promise<void> {
    await this.parley.stop();
    await this.#close();
  }
}
