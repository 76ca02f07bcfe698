import type Stripe from 'stripe';
import type { Product } from './product.ts';

/** For payment tests: the official library, pointed at the stand-in, and a person who fills in its pages. */

export const cards = {
  pays: '4242 4242 4242 4242',
  declines: '4000 0000 0000 0002',
  asks: '4000 0025 0000 3155',
  failsLater: '4000 0000 0000 0341',
  isDisputed: '4000 0000 0000 0259',
};

export const successUrl = 'https://shop.example/thanks?session={CHECKOUT_SESSION_ID}';

export async function makePrice(
  stripe: Stripe,
  given: Partial<Stripe.PriceCreateParams> = {},
  options: Stripe.RequestOptions = {},
): Promise<Stripe.Price> {
  return stripe.prices.create(
    { currency: 'usd', unit_amount: 2000, product_data: { name: 'Pro' }, ...given },
    options,
  );
}

/** Presses a button on a page, with input. If that redirects back to the page, `html` is what it then shows. */
export async function press(
  url: string,
  action: string,
  typed: Record<string, string> = {},
): Promise<{ status: number; location: string | null; html: string }> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...typed, action }),
  });
  const location = response.headers.get('location');
  const next = new URL(location ?? '', url);
  const isAgain = location !== null && next.pathname === new URL(url).pathname;
  const html = await (isAgain ? await fetch(new URL(next.pathname + next.search, url)) : response).text();
  return { status: response.status, location, html };
}

export function typedCard(number: string): Record<string, string> {
  return { number, expiry: '12/34', code: '123', email: 'ada@example.com', name: 'Ada' };
}

/** At the address where the test reaches the product, whatever its configured one. */
export function pageOf({ url }: Product, address: string | null): string {
  return url + new URL(address ?? '').pathname;
}

export async function eventually<T>(look: () => Promise<T | undefined | false>, seconds = 30): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > until) throw new Error('It did not come.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** An organization's customer ID at the provider. */
export async function customerOf({ app }: Product, organizationId: string): Promise<string> {
  const { rows } = await app.deps.db.owner.query(
    'select customer_id from plan_subscription where organization_id = $1',
    [organizationId],
  );
  return rows[0].customer_id;
}

const DAY_SECONDS = 86_400;

/** Advances the stand-in's clock, for everything in it. */
export async function passDays({ testHelpers: { testClocks } }: Stripe, days: number): Promise<void> {
  const { data } = await testClocks.list({ limit: 1 });
  const clock = data[0] ?? (await testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) }));
  const { frozen_time: now } = await testClocks.retrieve(clock.id);
  await testClocks.advance(clock.id, { frozen_time: now + days * DAY_SECONDS });
}
