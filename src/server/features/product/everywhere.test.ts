import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { buy, connectAccount, forGood, pack, sell } from '../../../../test/selling.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';
import { bearing, visit } from '../../../../test/visit.ts';
import { startVoiceProvider, type VoiceProvider } from '../../../../test/stand-ins/voice-provider.ts';

/** What an agent sells opens it on every surface, and nothing else does. */

let product: Product;
let provider: Provider;
let voice: VoiceProvider;
let telegram: TelegramService;
let ada: TestClient;
let organizationId: string;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes.'] });
  voice = await startVoiceProvider();
  telegram = await startTelegramService();
  product = await startProduct({
    providers: { openai: provider.openai },
    transcription: { model: 'whisper-1', apiKey: 'sk-voice', baseUrl: voice.baseUrl },
    channelUrls: channelUrls({ telegram: telegram.url }),
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  await connectAccount(product, ada, organizationId);
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await voice.close();
  await telegram.close();
});

const refused = { status: 402, code: 'payment/required' };

async function makeAgent() {
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  await ada.chatbot.update({ id, organizationId, voiceEnabled: true });
  return { organizationId, agentId: id };
}

const messages = async () =>
  (await product.app.deps.db.owner.query<{ count: number }>('select count(*)::int as count from message'))
    .rows[0]?.count;

test('regenerating, editing, posting and speaking need the same access as a question, and leave nothing', async () => {
  const key = await makeAgent();
  const guest = product.as('everywhere', 'guest');
  const { id } = (await guest.chat.create({ chatbotId: key.agentId })).conversation;
  const { message, answer } = await guest.chat.send({ id, text: 'Is it?' });
  const voicemail = (await guest.chat.create({ chatbotId: key.agentId, kind: 'voicemail' })).conversation.id;
  const room = (await guest.chat.create({ chatbotId: key.agentId, kind: 'game' })).conversation.id;
  await sell(ada, key, forGood);
  const before = await messages();
  const asked = provider.requests.length;
  const sound = () => new File([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, ...Array(50).fill(7)])], 'said.webm');
  const tries = [
    () => guest.chat.send({ id, text: 'And now?' }),
    () => guest.chat.regenerate({ id, messageId: answer.id }),
    () => guest.chat.edit({ id, messageId: message.id, text: 'Was it?' }),
    () => guest.chat.send({ id: room, text: 'Is it?' }),
    () => guest.room.say({ id: room, text: 'Hello, all.' }),
    () => guest.voice.transcribe({ id, media: sound() }),
    () => guest.voice.leave({ id: voicemail, media: sound() }),
  ];
  for (const tried of tries) await expect(tried()).rejects.toMatchObject(refused);
  expect(await messages()).toBe(before);
  expect(provider.requests.length).toBe(asked);
  expect(voice.transcriptions).toEqual([]);
});

test('each site visitor buys for themselves', async () => {
  const key = await makeAgent();
  const offered = await sell(ada, key, pack(3));
  const [one, other] = [await visit(product, key.agentId, {}), await visit(product, key.agentId, {})];
  const buyer = bearing(product, one.token);
  await buy(product, buyer, offered.id);
  await expect(buyer.chat.create({ chatbotId: key.agentId, text: 'Is it?' })).resolves.toBeDefined();
  await expect(
    bearing(product, other.token).chat.create({ chatbotId: key.agentId, text: 'Is it?' }),
  ).rejects.toMatchObject(refused);
});

test('an API client with the agent’s key asks for buyers, and gets an error saying so for others', async () => {
  const key = await makeAgent();
  const { apiKey } = await ada.visitor.rotateApiKey({ id: key.agentId });
  const offered = await sell(ada, key, pack(3));
  const buyer = bearing(product, apiKey, { 'end-user': 'buyer' });
  await buy(product, buyer, offered.id);
  const ask = (endUser: string) =>
    fetch(`${product.url}/v1/agents/${key.agentId}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'end-user': endUser,
      },
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'Is it?' }] }),
    });
  expect((await ask('buyer')).status).toBe(200);
  const before = await messages();
  const other = await ask('other');
  expect(other.status).toBe(402);
  expect(await other.text()).toContain('bought access');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${product.url}/v1/agents/${key.agentId}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${apiKey}`, 'end-user': 'other' } },
    }),
  );
  const { tools } = await client.listTools();
  const name = tools.find((tool) => tool.name.startsWith('ask'))?.name ?? '';
  const told = await client.callTool({ name, arguments: { question: 'Is it?' } });
  expect(told).toMatchObject({ isError: true });
  expect(JSON.stringify(told)).toContain('bought access');
  const search = tools.find((tool) => tool.name.startsWith('search'))?.name ?? '';
  expect(await client.callTool({ name: search, arguments: { query: 'Is it?' } })).toMatchObject({
    isError: true,
  });
  await client.close();
  expect(await messages()).toBe(before);
});

test('a person who writes to a bot is told where to buy, and their question is not stored', async () => {
  const key = await makeAgent();
  await sell(ada, key, forGood);
  await ada.plugin.create({
    chatbotId: key.agentId,
    type: 'telegram',
    settingsData: {},
    credentials: { botToken: telegram.token },
  });
  const before = await messages();
  telegram.sent = [];
  await telegram.deliver(telegram.message('Is it?'));
  await expect.poll(() => telegram.sent.length).toBe(1);
  expect(telegram.sent[0]?.text).toContain('bought access');
  expect(telegram.sent[0]?.text.replaceAll('\\', '')).toContain(`/chat/${key.agentId}`);
  expect(await messages()).toBe(before);
});
