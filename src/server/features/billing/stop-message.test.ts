import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelUrls } from '../../../../test/channel-urls.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startTelegramService, type TelegramService } from '../../../../test/stand-ins/telegram-service.ts';
import { bearing, visit } from '../../../../test/visit.ts';
import { plans } from '../../../contract/plans.ts';

const WORDS = 'Call us: 555-0100.';

let service: TelegramService;
let product: Product;
let ada: TestClient;
let agentId: string;

beforeAll(async () => {
  service = await startTelegramService();
  product = await startProduct({
    billing: { mode: 'on', plans: { ...plans, FREE_PLAN: { ...plans.FREE_PLAN, creditsAMonth: 0 } } },
    channelUrls: channelUrls({ telegram: service.url }),
  });
  ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  await ada.billing.setStop({ organizationId, creditStop: 'hard', stopMessage: WORDS });
});
afterAll(async () => {
  await product.close();
  await service.close();
});

const refusal = { status: 402, code: 'quota/exceeded', message: WORDS };

test('a visitor of a site sees the owner’s message', async () => {
  const { token } = await visit(product, agentId);
  const visitor = bearing(product, token);
  const { conversation } = await visitor.chat.create({ chatbotId: agentId });
  await expect(visitor.chat.send({ id: conversation.id, text: 'Hello?' })).rejects.toMatchObject(refusal);
});

test('everybody in a room who asks the host sees it', async () => {
  const bob = product.as('bob');
  const { conversation } = await bob.chat.create({ chatbotId: agentId, kind: 'game' });
  await expect(bob.chat.send({ id: conversation.id, text: 'Begin' })).rejects.toMatchObject(refusal);
});

test('in a channel this message is the answer', async () => {
  await ada.plugin.create({
    chatbotId: agentId,
    type: 'telegram',
    settingsData: {},
    credentials: { botToken: service.token },
  });
  await service.deliver(service.message('Hello?'));
  await expect.poll(() => service.sent[0]?.text ?? '').toContain(WORDS);
});
