import type pg from 'pg';
import type Stripe from 'stripe';
import type { Log } from '../../log.ts';
import { operatorFetch } from '../../egress/operator-fetch.ts';
import { OWN_ENDPOINT } from './books.ts';

/** Between attempts, in seconds; after the last one a delivery is abandoned. Stripe takes three days as well. */
const RETRY_SECONDS = [1, 5, 30, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000, 36_000, 36_000];
/** How long it stays reserved. If the process dies meanwhile, the next one takes over. */
const HELD_SECONDS = 30;
const POLL_MS = 1000;
const AT_ONCE = 10;

interface Delivery {
  id: string;
  attempts: number;
  event: Stripe.Event;
  endpoint: Stripe.WebhookEndpoint;
  secret: string;
}

interface Settings {
  pool: pg.Pool;
  log: Log;
  sign: (payload: string, secret: string) => string;
  deliverHere: DeliverHere;
}

/** Delivers to this installation itself, whatever address it listens at. `isReady` is true once it does. */
export interface DeliverHere {
  isReady: () => boolean;
  /** Returns the response status. */
  send: (payload: string, headers: Record<string, string>) => Promise<number>;
}

/**
 * Delivers events to their endpoints, retrying each until it is accepted or abandoned: at least once, in no particular
 * order. An endpoint with `deliver: twice` in its metadata gets each event twice, and with `reversed` the newest first.
 */
export function startDeliveries(settings: Settings): { soon: () => void; stop: () => Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  const work = async (): Promise<void> => {
    while (isAskedAgain && !stopping.signal.aborted) {
      isAskedAgain = false;
      if (settings.deliverHere.isReady() && (await deliverSome(settings)) > 0) isAskedAgain = true;
    }
  };
  const soon = (): void => {
    isAskedAgain = true;
    if (stopping.signal.aborted) return;
    running ??= work()
      .catch((error: unknown) =>
        settings.log.warn({ err: error }, 'payment events could not be delivered yet'),
      )
      .finally(() => (running = undefined));
  };
  const timer = setInterval(soon, POLL_MS);
  return {
    soon,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}

async function deliverSome(settings: Settings): Promise<number> {
  const deliveries = await claim(settings.pool);
  for (const delivery of deliveries) await deliver(settings, delivery);
  return deliveries.length;
}

async function claim(pool: pg.Pool): Promise<Delivery[]> {
  const { rows } = await pool.query<Delivery>(
    `with due as (
       select d.id from payment_local.delivery d
         left join payment_local.object w on w.id = d.endpoint_id and w.kind = 'webhook_endpoint'
        where d.ended_at is null and d.due_at <= now()
        order by case when w.body #>> '{metadata,deliver}' like '%reversed%' then -d.id else d.id end
        limit $1 for update of d skip locked
     ), taken as (
       update payment_local.delivery d set attempts = attempts + 1, due_at = now() + make_interval(secs => $2)
         from due where due.id = d.id returning d.*
     )
     select t.id, t.attempts, e.body as event, w.body as endpoint, w.hidden ->> 'secret' as secret
       from taken t
       join payment_local.object e on e.account = t.account and e.id = t.event_id
       left join payment_local.object w on w.id = t.endpoint_id and w.kind = 'webhook_endpoint'
      order by case when w.body #>> '{metadata,deliver}' like '%reversed%' then -t.id else t.id end`,
    [AT_ONCE, HELD_SECONDS],
  );
  return rows;
}

async function deliver(settings: Settings, delivery: Delivery): Promise<void> {
  const { pool } = settings;
  // The endpoint was removed in the meantime.
  if (!delivery.endpoint) return end(pool, delivery, null);
  const isTwice = delivery.endpoint.metadata['deliver']?.includes('twice') ?? false;
  if (isTwice) await send(settings, delivery);
  const status = await send(settings, delivery);
  if (status >= 200 && status < 300) return end(pool, delivery, status);
  const wait = RETRY_SECONDS[delivery.attempts - 1];
  if (wait === undefined) return end(pool, delivery, status);
  await pool.query(
    'update payment_local.delivery set due_at = now() + make_interval(secs => $2), last_status = $3 where id = $1',
    [delivery.id, wait, status],
  );
}

/** The response status; 0 if there is none. */
async function send({ sign, deliverHere }: Settings, { event, endpoint, secret }: Delivery): Promise<number> {
  const payload = JSON.stringify(event, null, 2);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': sign(payload, secret),
    'user-agent': 'Stripe/1.0 (stand-in)',
  };
  try {
    if (endpoint.id === OWN_ENDPOINT) return await deliverHere.send(payload, headers);
    const response = await operatorFetch(endpoint.url, { method: 'POST', headers, body: payload });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

async function end(pool: pg.Pool, { id, event }: Delivery, status: number | null): Promise<void> {
  await pool.query(
    `with ended as (update payment_local.delivery set ended_at = now(), last_status = $2 where id = $1 and ended_at is null returning id)
     update payment_local.object set body = jsonb_set(body, '{pending_webhooks}', to_jsonb(greatest(0, (body ->> 'pending_webhooks')::int - 1)))
      where id = $3 and exists (select from ended)`,
    [id, status, event.id],
  );
}

const EVENTS_KEPT_DAYS = 30;

/** Events are kept as long as at Stripe; their deliveries go with them. */
export async function forgetOldEvents(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with old as (
       delete from payment_local.delivery where ended_at < now() - make_interval(days => $1) returning account, event_id
     )
     delete from payment_local.object o using old
      where o.account = old.account and o.id = old.event_id and o.kind = 'event'`,
    [EVENTS_KEPT_DAYS],
  );
}
