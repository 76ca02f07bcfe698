import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { freePort, Server } from '../../../test/e2e/server.ts';
import { cards, makePrice, press, successUrl, typedCard } from '../../../test/payments.ts';

let database: TestDatabase;
let client: pg.Client;
let server: Server;
let localPort: number;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  localPort = await freePort();
  server = await Server.start({
    DATABASE_URL: database.url,
    STRIPE_LOCAL_PORT: String(localPort),
    SEED_DEMO: 'off',
    LOG_LEVEL: 'silent',
  });
});
afterAll(async () => {
  await server.remove();
  await client.end();
  await database.drop();
});

/** What is known of one checkout: its payment, the event about it, and the event's delivery to us. */
async function knownOf({ id, client_reference_id: order }: Stripe.Checkout.Session): Promise<boolean[]> {
  const { rows } = await client.query<{ known: boolean[] }>(
    `select array[
       exists (select from payment_local.object where id = $1 and body ->> 'status' = 'complete'),
       exists (select from payment_local.object where kind = 'payment_intent' and body #>> '{metadata,order}' = $2 and body ->> 'status' = 'succeeded'),
       exists (select from payment_local.object where kind = 'event' and body ->> 'type' = 'checkout.session.completed' and body #>> '{data,object,id}' = $1),
       exists (select from payment_local.delivery d join payment_local.object e on e.id = d.event_id
                where e.body ->> 'type' = 'checkout.session.completed' and e.body #>> '{data,object,id}' = $1)
     ] as known`,
    [id, order],
  );
  return rows[0]?.known ?? [];
}

test('killed in the middle of paid checkouts, each takes effect wholly or not at all, and acknowledged ones do', async () => {
  const { rows } = await client.query<{ value: string }>(
    `select value from payment_local.setting where name = 'secret_key'`,
  );
  const stripe = new Stripe(rows[0]?.value ?? '', {
    host: '127.0.0.1',
    port: localPort,
    protocol: 'http',
    telemetry: false,
  });
  const price = await makePrice(stripe);
  const sessions: Stripe.Checkout.Session[] = [];
  const acknowledged = new Set<string>();
  const outcomes = new Set<string>();
  // Killed at once, while they are in progress, and when one is acknowledged: on any machine some have done nothing and
  // others everything.
  const moments = ['at once', 'soon', 'acknowledged'] as const;
  for (const moment of moments) {
    const begun = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        stripe.checkout.sessions.create({
          mode: 'payment',
          line_items: [{ price: price.id }],
          success_url: successUrl,
          client_reference_id: `${moment} ${at}`,
          // Finds the payment when its session doesn't name it.
          payment_intent_data: { metadata: { order: `${moment} ${at}` } },
        }),
      ),
    );
    sessions.push(...begun);
    const paying = begun.map(async ({ id, url }) => {
      const answer = await press(url ?? '', 'pay', typedCard(cards.pays)).catch(() => undefined);
      if (answer?.status !== 303) throw new Error('Not acknowledged.');
      acknowledged.add(id);
    });
    const allEnded = Promise.allSettled(paying);
    if (moment === 'soon') await sleep(20);
    if (moment === 'acknowledged') await Promise.any(paying);
    await server.kill('SIGKILL');
    await allEnded;
    await server.startAgain();
  }
  for (const session of sessions) {
    const known = await knownOf(session);
    outcomes.add(known.join());
    if (acknowledged.has(session.id)) expect(known).toEqual([true, true, true, true]);
  }
  for (const outcome of outcomes)
    expect(['true,true,true,true', 'false,false,false,false']).toContain(outcome);
  // Both outcomes occurred; otherwise nothing was killed midway.
  expect(outcomes.size).toBe(2);
  // Deliveries in flight at its death are resumed.
  for (let attempt = 0; attempt < 450; attempt += 1) {
    const { rows: open } = await client.query('select 1 from payment_local.delivery where ended_at is null');
    if (open.length === 0) return;
    await sleep(100);
  }
  throw new Error('Deliveries were left.');
}, 240_000);
