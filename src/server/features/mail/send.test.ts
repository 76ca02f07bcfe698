import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMailServer, type MailServer } from '../../../../test/stand-ins/mail-server.ts';
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
