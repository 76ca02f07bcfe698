import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMailServer, type MailServer } from '../../../../test/stand-ins/mail-server.ts';
import { openBrowser } from '../../../../test/browser.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

let mailServer: MailServer;
let product: Product;

beforeAll(async () => {
  mailServer = await startMailServer();
  product = await startProduct({ smtpUrl: mailServer.url });
});
afterAll(async () => {
  vi.useRealTimers();
  await product.close();
  await mailServer.close();
});

async function statesOfJobs(): Promise<string[]> {
  const { rows } = await product.app.deps.db.owner.query<{ state: string }>(
    "select state from pgboss.job where name = 'mail.send'",
  );
  return rows.map(({ state }) => state);
}

test('a mail that its server takes minutes to accept is not sent a second time', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const accepting = Promise.withResolvers<void>();
  mailServer.accepting = accepting.promise;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  await ada.member.invite({ organizationId, email: 'grace@example.com', role: 'viewer' });
  await vi.waitFor(() => expect(mailServer.mails).toHaveLength(1), 10_000);
  vi.advanceTimersByTime(9 * 60_000);
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await statesOfJobs()).toEqual(['active']);
  accepting.resolve();
  await expect.poll(statesOfJobs, { timeout: 10_000 }).toEqual(['completed']);
  expect(mailServer.mails).toHaveLength(1);
});

async function allDone(): Promise<void> {
  const states = async () => new Set(await statesOfJobs());
  await expect.poll(states, { timeout: 10_000 }).toEqual(new Set(['completed']));
}

/** A mail fails with this reply, and is tried again as if that had been three hours ago: the reply is the same. */
async function failLater(refusal: number): Promise<void> {
  const { owner } = product.app.deps.db;
  mailServer.refusal = refusal;
  const organizationId = (await product.as('ada').organization.create({ name: 'Acme' })).organization.id;
  await product.as('ada').member.invite({ organizationId, email: 'bob@example.com', role: 'viewer' });
  await expect.poll(statesOfJobs, { timeout: 10_000 }).toContain('retry');
  await owner.query("update mail set created_at = now() - interval '3 hours' where sent_at is null");
  mailServer.refusal = refusal;
  await owner.query("update pgboss.job set start_after = now() where name = 'mail.send' and state = 'retry'");
}

test('a mail that its server refuses for good is tried for two hours, and no longer', async () => {
  const { length } = mailServer.mails;
  await failLater(550);
  await allDone();
  expect(mailServer.mails).toHaveLength(length);
});

test('a mail that its server cannot take yet is tried again', async () => {
  const { length } = mailServer.mails;
  await failLater(451);
  await expect.poll(() => mailServer.refusal, { timeout: 10_000 }).toBeUndefined();
  await expect.poll(statesOfJobs).toContain('retry');
  const { owner } = product.app.deps.db;
  await owner.query("update pgboss.job set start_after = now() where name = 'mail.send' and state = 'retry'");
  await expect.poll(() => mailServer.mails, { timeout: 10_000 }).toHaveLength(length + 1);
});

test('a sign-in link that has expired meanwhile is not sent', async () => {
  const { length } = mailServer.mails;
  mailServer.refusal = 451;
  await openBrowser(product).client.identity.sendSignInLink({ email: 'late@example.com' });
  await expect.poll(statesOfJobs, { timeout: 10_000 }).toContain('retry');
  await product.app.deps.db.owner.query(
    "update pgboss.job set start_after = now(), data = data || jsonb_build_object('until', now()) where name = 'mail.send' and state = 'retry'",
  );
  await allDone();
  expect(mailServer.mails).toHaveLength(length);
});
