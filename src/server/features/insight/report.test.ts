import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, type Joined } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { sendReports } from './report.ts';

let product: Product;
let ada: TestClient;
let vera: Joined;
let organizationId: string;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  vera = await join(product, ada, 'vera', { organizationId, role: 'viewer', teams: [] });
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  await ada.chatbot.update({ id, organizationId, isPublic: true });
  const bob = product.as('bob');
  for (const text of ['Hello?', 'Is anybody there?']) await bob.chat.create({ chatbotId: id, text });
});
afterAll(() => product.close());

const query = async (sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query(sql, values)).rows;
const makeDue = () => query(`update insight_report set due_at = now() - interval '1 minute'`);
const send = () => sendReports(product.app.deps, () => product.url);
const mails = () =>
  query(`select subject, text from mail where recipient = $1 and subject like 'Acme:%'`, [vera.email]);
const everyOf = async (client: TestClient) =>
  (await client.insight.getReport({ organizationId })).report.every;

test('who wants the numbers by mail gets them when it is time, once, however many processes look', async () => {
  expect(await everyOf(vera.client)).toBeNull();
  await vera.client.insight.setReport({ organizationId, every: 'week', timeZone: 'Europe/Berlin' });
  expect(await everyOf(vera.client)).toBe('week');
  const [due] = await query(
    `select to_char(due_at at time zone 'Europe/Berlin', 'ID HH24:MI') as at, due_at > now() as later from insight_report`,
  );
  expect(due).toEqual({ at: '1 07:00', later: true });
  await send();
  expect(await mails()).toEqual([]);
  await makeDue();
  await Promise.all([send(), send(), send()]);
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail['subject']).toBe('Acme: 2 conversations in 7 days');
  expect(mail['text']).toContain(
    'Conversations: 2 (before: 0). People: 1 (before: 0). Messages: 2 (before: 0).',
  );
  expect(mail['text']).toContain('Helper: 2 messages');
  expect(mail['text']).toContain(`/platform/${organizationId}/insights?period=7d`);
  const [next] = await query('select due_at > now() as later from insight_report');
  expect(next).toEqual({ later: true });
});

test('without an address there is no mail, and who is no member any more gets none', async () => {
  await expect(ada.insight.setReport({ organizationId, every: 'month' })).rejects.toMatchObject({
    status: 409,
    code: 'insight/no-address',
  });
  await vera.client.insight.setReport({ organizationId, every: 'month' });
  await ada.member.remove({ id: vera.memberId });
  await makeDue();
  const before = (await mails()).length;
  await send();
  expect(await mails()).toHaveLength(before);
  expect(await query('select 1 from insight_report')).toEqual([]);
});
