import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/browser.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../../test/stand-ins/webhook-receiver.ts';
import { plans } from '../../../contract/plans.ts';
import { tellUsage } from './alerts.ts';

let receiver: WebhookReceiver;
let product: Product;

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  product = await startProduct({
    billing: {
      mode: 'on',
      plans: {
        ...plans,
        FREE_PLAN: { ...plans.FREE_PLAN, creditsAMonth: 20, knowledgeBytes: 1000, members: 10 },
      },
    },
    ssrfAllowedHosts: [receiver.host],
  });
});
afterAll(async () => {
  await product.close();
  await receiver.close();
});

const query = (sql: string, values: unknown[]) => product.app.deps.db.owner.query(sql, values);

/** An organization whose owner has an email address, and one of its agents. */
async function makeOwned(name: string) {
  const browser = openBrowser(product);
  const email = `${name}@example.com`;
  await browser.signIn(email);
  await browser.client.user.register({ name, username: `${name}-owner` });
  await browser.refresh();
  const { organization } = await browser.client.organization.create({ name: 'Acme' });
  const organizationId = organization.id;
  const { chatbot } = await browser.client.chatbot.create({ organizationId, name: 'Helper' });
  const { conversation } = await browser.client.chat.create({ chatbotId: chatbot.id });
  const ask = () => browser.client.chat.send({ id: conversation.id, text: 'Who are you?' });
  const spend = (used: number) =>
    query(
      `insert into credit_usage (organization_id, month, used) values ($1, to_char(now() at time zone 'UTC', 'YYYY-MM'), $2)
         on conflict (organization_id, month) do update set used = excluded.used`,
      [organizationId, used],
    );
  const mails = async () => {
    const { rows } = await query(
      `select subject from mail where recipient = $1 and subject like '%has used%' order by created_at`,
      [email],
    );
    return rows.map(({ subject }) => subject);
  };
  return { client: browser.client, organizationId, agentId: chatbot.id, ask, spend, mails };
}

const sweep = () => tellUsage(product.app.deps, product.url);

test('owners and webhooks are alerted once per threshold and month, however many processes check', async () => {
  const { client, agentId, spend, mails } = await makeOwned('ada');
  const settingsData = { url: receiver.url, events: ['usage.alert'] };
  const { plugin } = await client.plugin.create({ chatbotId: agentId, type: 'webhook', settingsData });
  receiver.secret = (await client.webhook.secret({ id: plugin.id })).secret;
  await spend(9);
  await sweep();
  expect(await mails()).toEqual([]);
  await spend(10);
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(await mails()).toEqual(["Acme has used 50 % of this month's answers"]);
  await spend(20);
  await Promise.all([sweep(), sweep()]);
  expect((await mails()).at(-1)).toBe("Acme has used 100 % of this month's answers");
  expect(await mails()).toHaveLength(2);
  await expect
    .poll(
      () => receiver.received.map(({ data }) => String((data as { percent: number }).percent)).toSorted(),
      {
        timeout: 50_000,
      },
    )
    .toEqual(['100', '50', '75', '90']);
});

test('the mail says how the agents stop, as configured', async () => {
  const { client, organizationId, spend } = await makeOwned('finn');
  const textOf = async () => {
    await sweep();
    const { rows } = await query(
      `select text from mail where recipient = 'finn@example.com' and subject like '%has used%' order by created_at desc`,
      [],
    );
    return rows[0]?.text;
  };
  await spend(10);
  expect(await textOf()).toContain('the agents stop until the month ends');
  await client.billing.setStop({ organizationId, creditStop: 'soft', stopMessage: null });
  await spend(20);
  expect(await textOf()).toContain('the agents answer up to 10 % more, as set, and then stop');
});

test('owners are alerted as the plan’s limits fill up, but not about the second of two agents', async () => {
  const { client, organizationId, agentId, mails } = await makeOwned('cleo');
  const learn = (characters: number) =>
    client.knowledge.create({
      id: agentId,
      organizationId,
      type: 'text',
      description: 'x'.repeat(characters),
    });
  await client.chatbot.create({ organizationId, name: 'Second' });
  await learn(400);
  await sweep();
  expect(await mails()).toEqual([]);
  await learn(400);
  await Promise.all([sweep(), sweep()]);
  expect(await mails()).toEqual(['Acme has used 75 % of its knowledge text']);
  await learn(50);
  await expect(learn(200)).rejects.toMatchObject({ status: 402 });
  await sweep();
  expect(await mails()).toHaveLength(1);
  await learn(150);
  await sweep();
  expect(await mails()).toHaveLength(2);
  expect((await mails()).at(-1)).toBe('Acme has used 100 % of its knowledge text');
});

test('an invited person is not counted as a member before accepting', async () => {
  const { client, organizationId, mails } = await makeOwned('dina');
  for (const name of ['one', 'two', 'three']) {
    await join(product, client, `invited-${name}`, { organizationId, role: 'viewer' });
  }
  await client.member.invite({ organizationId, email: 'nobody@example.com', role: 'viewer' });
  await sweep();
  expect(await mails()).toEqual([]);
  await join(product, client, 'invited-four', { organizationId, role: 'viewer' });
  await sweep();
  expect(await mails()).toEqual(['Acme has used 50 % of its members']);
});

test('a hard stop is exact, a soft one allows a tenth more, and people see the owner’s message', async () => {
  const { client, organizationId, ask, spend } = await makeOwned('bob');
  await spend(20);
  await expect(ask()).rejects.toMatchObject({
    status: 402,
    message: 'This organization has no credits left this month.',
  });
  const wordless = client.billing.setStop({ organizationId, creditStop: 'soft', stopMessage: '  ' });
  await expect(wordless).rejects.toMatchObject({ status: 400, errors: [{ path: 'stopMessage' }] });
  await client.billing.setStop({ organizationId, creditStop: 'soft', stopMessage: 'Call us: 555-0100.' });
  await spend(21);
  await ask();
  await spend(22);
  await expect(ask()).rejects.toMatchObject({ status: 402, message: 'Call us: 555-0100.' });
  const { usage } = await client.billing.getUsage({ organizationId });
  expect(usage.credits).toEqual({ used: 22, reserved: 0, limit: 20, bonus: 0, bonusLeft: 0 });
  const { subscription } = await client.billing.getSubscription({ organizationId });
  expect(subscription).toMatchObject({ creditStop: 'soft', stopMessage: 'Call us: 555-0100.' });
});
