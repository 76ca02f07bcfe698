import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';

let standIn: Product;
let product: Product;

/** An installation whose keys and address belong to another one's stand-in, as they would to Stripe. */
beforeAll(async () => {
  standIn = await startProduct();
  const { stripe, webhookSecrets } = standIn.app.deps.payments;
  const { rows } = await standIn.app.deps.db.owner.query<{ value: string }>(
    `select value from payment_local.setting where name = 'secret_key'`,
  );
  product = await startProduct({
    payments: {
      secretKey: rows[0]?.value,
      webhookSecrets: [...webhookSecrets],
      apiUrl: `http://127.0.0.1:${String(stripe.getApiField('port'))}`,
      localPort: 0,
      applicationFeePercent: 5,
    },
  });
});
afterAll(async () => {
  await product.close();
  await standIn.close();
});

test('with a key the same code calls the configured address, and has no pages of its own', async () => {
  const { payments } = product.app.deps;
  expect(payments).toMatchObject({ isTestMode: true, applicationFeePercent: 5, pages: undefined });
  const customer = await payments.stripe.customers.create({ name: 'Ada' });
  expect(await standIn.app.deps.payments.stripe.customers.retrieve(customer.id)).toMatchObject({
    name: 'Ada',
  });
  expect(
    (await fetch(`${standIn.url}/test-payments/checkout/cs_test_nobody`)).headers.get('content-type'),
  ).toContain('text/html');
  const page = await fetch(`${product.url}/test-payments/checkout/cs_test_nobody`);
  expect(await page.text()).not.toContain('no money moves');
});

test('a page without a session does not exist, and none can be framed', async () => {
  for (const path of ['checkout/cs_test_no', 'portal/bps_no', 'account/acctlink_no', '__proto__/x']) {
    const page = await fetch(`${standIn.url}/test-payments/${path}`);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});
