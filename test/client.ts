import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../src/contract/chat.ts';
import { createClient, type Client, type ClientOptions } from '../src/contract/client.ts';
import { contract, type ParleyContract } from '../src/contract/index.ts';

type ChatClient = Client<ParleyContract>['chat'];

/** Assumes that the agent answers, as it does unless a person was requested: there is always an answer. */
export type TestClient = Omit<Client<ParleyContract>, 'chat'> & {
  chat: Omit<ChatClient, 'send'> & {
    send: (...input: Parameters<ChatClient['send']>) => Promise<{ message: Message; answer: Message }>;
  };
};

/** It retries when told to: many a test asks more than a slow machine can do. */
export function connect(options: ClientOptions): TestClient {
  // Looked up on each call: a test may replace it.
  const ask: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  return createClient(contract, { ...options, fetch: comingAgain(ask) }) as TestClient;
}

const COME_AGAIN_MS = 250;
const TRIES = 200;

/** If something is refused as `server/busy`, none of it was done. */
function comingAgain(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    for (let tries = 1; ; tries += 1) {
      const response = await ask(input, init);
      if (response.status !== 503 || tries === TRIES) return response;
      const { code } = (await response
        .clone()
        .json()
        .catch(() => ({}))) as { code?: string };
      if (code !== 'server/busy') return response;
      await delay(COME_AGAIN_MS);
    }
  };
}
