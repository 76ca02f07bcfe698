import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let telegram: TelegramService;
let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  telegram = await startTelegramService();
  product = await startProduct({ channelUrls: channelUrls({ telegram: telegram.url }) });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await telegram.close();
});

async function makeAgent() {
  return (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
}

/** What a reader of this language is told. */
async function told(idOrHandle: string, language?: string): Promise<string> {
  const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language };
  const { agent } = await product.as('nobody', 'anonymous').chatbot.getPublic({ idOrHandle }, { headers });
  return agent.disclosureText;
}

test('everybody is told before the first message that this is an AI, in their language where a text exists', async () => {
  const { id, disclosure } = await makeAgent();
  expect(disclosure).toEqual({ isOn: true, texts: {} });
  expect(await told(id)).toBe('You are talking with an AI.');
  expect(await told(id, 'de-AT,de;q=0.9')).toBe('Sie sprechen mit einer KI.');
  await owner.chatbot.update({
    id,
    organizationId,
    language: 'fr',
    disclosure: { isOn: true, texts: { de: 'Ich bin ein Bot.' } },
  });
  expect(await told(id, 'de')).toBe('Ich bin ein Bot.');
  // No text in it: the agent's own language.
  expect(await told(id, 'eu')).toBe('Vous parlez avec une IA.');
  const made = await visit(product, id);
  expect(made.agent.disclosureText).toBe('Vous parlez avec une IA.');
  const { conversation } = await bearing(product, made.token, { 'accept-language': 'de' }).chat.create({
    chatbotId: id,
  });
  expect(conversation.agent.disclosureText).toBe('Ich bin ein Bot.');
  await owner.chatbot.update({ id, organizationId, disclosure: { isOn: false, texts: {} } });
  expect(await told(id)).toBe('');
});

test('it is versioned: an unpublished text is shown to nobody', async () => {
  const { id } = await makeAgent();
  await owner.version.publish({ id, organizationId, number: 1 });
  const { chatbot } = await owner.chatbot.update({
    id,
    organizationId,
    disclosure: { isOn: false, texts: {} },
  });
  expect(await told(id)).not.toBe('');
  await owner.version.publish({ id, organizationId, number: chatbot.version });
  expect(await told(id)).toBe('');
});

test('only short texts in real languages are accepted', async () => {
  const { id } = await makeAgent();
  const many = Object.fromEntries(
    Array.from({ length: 51 }, (_, n) => [`a${String.fromCharCode(97 + (n % 26))}${n > 25 ? 'x' : ''}`, 'x']),
  );
  for (const texts of [{ de: '' }, { de: 'x'.repeat(301) }, { '../x': 'x' }, { DE: 'x' }, many])
    await expect(
      owner.chatbot.update({ id, organizationId, disclosure: { isOn: true, texts } }),
    ).rejects.toMatchObject({ status: 400 });
});

test('in a channel it comes first, once per person', async () => {
  const { id } = await makeAgent();
  await owner.plugin.create({
    chatbotId: id,
    type: 'telegram',
    settingsData: {},
    credentials: { botToken: telegram.token },
  });
  const sent = () => telegram.sent.map(({ text }) => text);
  for (const [count, text] of ['Hello?', 'Are you there?'].entries()) {
    await telegram.deliver(telegram.message(text));
    await expect.poll(sent).toHaveLength(count + 1);
  }
  await telegram.deliver(telegram.message('/start', { id: 5, first_name: 'Other' }));
  await expect.poll(sent).toHaveLength(3);
  const [first, second, other] = sent();
  expect(first?.replace(/^{"markdown":"/, '')).toMatch(/^You are talking with an AI\./);
  expect(second).not.toContain('talking with an AI');
  expect(other).toContain('talking with an AI');
});
