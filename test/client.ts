import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../src/contract/chat.ts';
import { createClient, type Client, type ClientOptions } from '../src/contract/client.ts';
import { contract, type ParleyContract } from '../src/contract/index.ts';

type ChatClient = Client<ParleyContract>['chat'];

/** The agent answers, as it does unless a person was asked for: an answer is always there. */
export type TestClient = Omit<Client<ParleyContract>, 'chat'> & {
  chat: Omit<ChatClient, 'send'> & {
    send: (...input: Parameters<ChatClient['send']>) => Promise<{ message: Message; answer: Message }>;
  };
};

/** It comes again when it is told to: a slow machine has more to do than it can in many a test. */
export function connect(options: ClientOptions): TestClient {
  // Looked up at each call: a test may put another in its place.
  const ask: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  return createClient(contract, { ...options, fetch: comingAgain(ask) }) as TestClient;
}

const COME_AGAIN_MS = 250;
const TRIES = 200;

/** Of what is refused as `server/busy` nothing has been done. */
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
