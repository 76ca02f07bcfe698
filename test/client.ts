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

export function connect(options: ClientOptions): TestClient {
  return createClient(contract, options) as TestClient;
}
