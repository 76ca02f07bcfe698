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
  const asked = async (name: string, text: string) =>
    (await product.as(name).chat.create({ chatbotId: id, text })).conversation.id;
  await moveTo(await asked('bob', 'Hello?'), "interval '-7 days 8 hours'");
  await moveTo(await asked('bob', 'Is anybody there?'), "interval '-30 minutes'");
  await moveTo(await asked('cleo', 'Is anybody there?'), "interval '-7 days -30 minutes'");
  await moveTo(await asked('dan', 'Hello?'), "interval '0'");
});
afterAll(() => product.close());

const query = async (sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query(sql, values)).rows;
/** Relative to the start of this week in Berlin. */
const moveTo = (conversationId: string, offset: string) =>
  query(
    `with moved as (
       update message set created_at = (date_trunc('week', now() at time zone 'Europe/Berlin') + ${offset}) at time zone 'Europe/Berlin'
        where conversation_id = $1)
     update conversation set updated_at = now() where id = $1`,
    [conversationId],
  );
const makeDue = () => query(`update insight_report set due_at = now() - interval '1 minute'`);
const send = () => sendReports(product.app.deps, () => product.url);
const mails = () =>
  query(`select subject, text from mail where recipient = $1 and subject like 'Acme:%'`, [vera.email]);
const everyOf = async (client: TestClient) =>
  (await client.insight.getReport({ organizationId })).report.every;

test('a member who wants the numbers by mail gets them when due, once, however many processes check', async () => {
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
  const [week] = await query(
    `select trim(to_char(date_trunc('week', now() at time zone 'Europe/Berlin') - interval '1 day', 'FMMonth FMDD, YYYY')) as "lastDay"`,
  );
  expect(mail['subject']).toBe(`Acme: 2 conversations in the week to ${week['lastDay']}`);
  // The whole previous week, from Monday morning to Sunday night, and no hour of this one.
  expect(mail['text']).toContain(
    'Conversations: 2 (before: 1). People: 1 (before: 1). Messages: 2 (before: 1).',
  );
  expect(mail['text']).toContain('Helper: 2 messages');
  expect(mail['text']).toContain(`/platform/${organizationId}/insights?period=7d`);
  const [next] = await query('select due_at > now() as later from insight_report');
  expect(next).toEqual({ later: true });
});

test('without an address there is no mail, and a former member gets none', async () => {
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
