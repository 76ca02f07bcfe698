import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';
import { callingFirst, startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';

/** What the AI SDK's own client, which refuses unknown events, makes of a streamed answer. */

let provider: Provider;
let service: OpenApiService;
let product: Product;
let owner: TestClient;
let agentId: string;
let transport: DefaultChatTransport<UIMessage>;

beforeAll(async () => {
  service = await startOpenApiService();
  provider = await startProvider({ pieces: ['Until ', 'nine ', '[1].'] });
  product = await startProduct({ ssrfAllowedHosts: [service.host], providers: { openai: provider.openai } });
  owner = product.as('owner');
  const organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await makeTaughtAgent(owner, organizationId, 'The shop closes at nine.')).id;
  const { id } = (await owner.tool.create({ organizationId, agentId, name: 'Shop' })).tool;
  await owner.tool.update({ id, schema: { url: `${service.url}/openapi.json` } });
  const operations = ['listOrders', 'createOrder'].map((name) => ({ id: name, enabled: true }));
  await owner.tool.update({ id, operations });
  const { idToken } = await product.sessionOf('owner');
  const api = (id: string, call: string) => `${product.url}/v1/chat/${id}/${call}`;
  transport = new DefaultChatTransport({
    headers: { authorization: `Bearer ${idToken}`, accept: 'text/event-stream' },
    prepareSendMessagesRequest: ({ id, messages }) => ({
      api: api(id, 'message'),
      body: {
        text: messages
          .at(-1)
          ?.parts.map((part) => (part.type === 'text' ? part.text : ''))
          .join(''),
      },
    }),
    prepareReconnectToStreamRequest: ({ id }) => ({ api: api(id, 'stream') }),
  });
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});

const begin = async () => (await owner.chat.create({ chatbotId: agentId })).conversation.id;

const ask = async (chatId: string, text: string, abortSignal?: AbortSignal) =>
  transport.sendMessages({
    trigger: 'submit-message',
    chatId,
    messageId: undefined,
    messages: [{ id: 'question', role: 'user', parts: [{ type: 'text', text }] }],
    abortSignal,
  });

/** The message the SDK makes, and the error it reports. */
async function read(
  stream: ReadableStream<UIMessageChunk>,
): Promise<{ message: UIMessage; errors: string[] }> {
  const errors: string[] = [];
  let message: UIMessage | undefined;
  const onError = (error: unknown) => errors.push(String(error));
  for await (const each of readUIMessageStream({ stream, onError })) message = each;
  if (!message) throw new Error('There was no message.');
  return { message, errors };
}

const textOf = ({ parts }: UIMessage) =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('an answer is a message with its text, its passages and the id it is stored under', async () => {
  const id = await begin();
  const { message, errors } = await read(await ask(id, 'When does the shop close?'));
  expect(errors).toEqual([]);
  expect(textOf(message)).toBe('Until nine [1].');
  const { messages } = await owner.chat.listMessages({ id });
  expect(message).toMatchObject({ role: 'assistant', id: messages.at(-1)?.id });
  const passages = message.parts.find(({ type }) => type === 'data-citations');
  expect(passages).toMatchObject({ data: [{ number: 1, title: 'Notes', text: 'The shop closes at nine.' }] });
});

test('a call that is made and one that waits for approval are tool parts', async () => {
  provider.script = { pieces: [], of: callingFirst({ name: 'listOrders', arguments: {} }, ['None.']) };
  const made = await read(await ask(await begin(), 'Which orders are open?'));
  expect(made.errors).toEqual([]);
  expect(made.message.parts).toContainEqual(
    expect.objectContaining({ type: 'tool-listOrders', state: 'output-available' }),
  );
  const order = { name: 'createOrder', arguments: { body: { item: 'Lamp', count: 2 } } };
  provider.script = { pieces: [], of: callingFirst(order, ['Done.']) };
  const waits = await read(await ask(await begin(), 'Order two lamps.'));
  expect(waits.errors).toEqual([]);
  expect(waits.message.parts).toContainEqual(
    expect.objectContaining({ type: 'tool-createOrder', state: 'approval-requested' }),
  );
});

test('a failure is an error, after what had arrived', async () => {
  provider.script = { pieces: ['It ', 'is ', 'nine.'], betweenPiecesMs: 100, cutAfter: 2 };
  const [seen, shown] = (await ask(await begin(), 'When?')).tee();
  const { errors } = await read(shown);
  expect(errors).toHaveLength(1);
  const chunks = await Array.fromAsync(seen);
  expect(chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')).toBe('It is ');
});

test('a lost stream is followed from its start, and one that is stopped ends', async () => {
  const pieces = Array.from({ length: 200 }, (_, index) => `${index} `);
  provider.script = { pieces, betweenPiecesMs: 50 };
  const id = await begin();
  const lost = new AbortController();
  const first = (await ask(id, 'Count.', lost.signal)).getReader();
  for (let events = 0; events < 8; events += 1) await first.read();
  lost.abort();
  const again = await transport.reconnectToStream({ chatId: id });
  if (!again) throw new Error('It could not be followed.');
  const [seen, shown] = again.tee();
  const reading = read(shown);
  const reader = seen.getReader();
  for (let events = 0; events < 8; events += 1) await reader.read();
  await owner.chat.stop({ id });
  const { message, errors } = await reading;
  expect(errors).toEqual([]);
  expect(textOf(message)).toMatch(/^0 1 /);
  expect(textOf(message)).not.toContain('199');
});
