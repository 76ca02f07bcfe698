import type pg from 'pg';
import Stripe from 'stripe';
import { resourceMissing } from './api-error.ts';
import { newId, word, type Hidden, type Kind, type Kinds } from './kinds.ts';

/** This installation's own endpoint, which exists without being registered. */
export const OWN_ENDPOINT = 'we_parley';

export interface Page {
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

export type Deleted<K extends Kind> = { id: string; object: K; deleted: true };

/**
 * Everything the stand-in knows of one account, in one transaction: objects, the events about them and their deliveries
 * are committed together or not at all.
 */
export class Books {
  readonly client: pg.PoolClient;
  readonly account: string;
  /** Unix seconds on the stand-in's own clock, which may be ahead. */
  readonly now: number;

  constructor(client: pg.PoolClient, account: string, now: number) {
    this.client = client;
    this.account = account;
    this.now = now;
  }

  /** The same transaction for another account; empty: the platform's. */
  of(account: string, now: number = this.now): Books {
    return new Books(this.client, account, now);
  }

  async find<K extends Kind>(kind: K, id: string): Promise<Kinds[K] | undefined> {
    return (await this.#read(kind, id))?.body as Kinds[K] | undefined;
  }

  /** Errors: `resource_missing`, naming the parameter that held the ID. */
  async get<K extends Kind>(kind: K, id: string, param = 'id'): Promise<Kinds[K]> {
    const found = await this.find(kind, id);
    if (!found || 'deleted' in found) throw resourceMissing(kind, id, param);
    return found;
  }

  async hiddenOf(kind: Kind, id: string): Promise<Hidden> {
    return (await this.#read(kind, id))?.hidden ?? {};
  }

  /** Any object with this ID: for expanding it in an answer. */
  async whatever(id: string): Promise<object | undefined> {
    const { rows } = await this.client.query<{ body: object }>(
      'select body from payment_local.object where account = $1 and id = $2',
      [this.account, id],
    );
    return rows[0]?.body;
  }

  async #read(kind: Kind, id: string): Promise<{ body: object; hidden: Hidden } | undefined> {
    const { rows } = await this.client.query<{ body: object; hidden: Hidden }>(
      'select body, hidden from payment_local.object where account = $1 and id = $2 and kind = $3',
      [this.account, id, kind],
    );
    return rows[0];
  }

  /** Stores its current state. Hidden data stays unless given. */
  async put<K extends Kind>(
    object: (Kinds[K] | Deleted<K>) & { id: string; object: K },
    hidden?: Hidden,
  ): Promise<void> {
    await this.client.query(
      `insert into payment_local.object (account, id, kind, body, hidden) values ($1, $2, $3, $4, coalesce($5::jsonb, '{}'))
       on conflict (account, id) do update set body = excluded.body, hidden = coalesce($5::jsonb, object.hidden)`,
      [
        this.account,
        object.id,
        object.object,
        JSON.stringify(object),
        hidden ? JSON.stringify(hidden) : null,
      ],
    );
  }

  async remove(kind: Kind, id: string): Promise<void> {
    await this.client.query('delete from payment_local.object where account = $1 and id = $2 and kind = $3', [
      this.account,
      id,
      kind,
    ]);
  }

  /** Newest first, the objects whose fields match `where` (`recurring.interval` is a nested field; null: any value). */
  async list<K extends Kind>(
    kind: K,
    where: Record<string, string | boolean | { not: string } | null | undefined> = {},
    page: Page = { limit: 100_000 },
  ): Promise<{ data: Kinds[K][]; has_more: boolean }> {
    const values: unknown[] = [this.account, kind];
    const conditions = [`account = $1`, `kind = $2`, `not body ? 'deleted'`];
    for (const [path, value] of Object.entries(where)) {
      if (value === undefined || value === null) continue;
      const isNot = typeof value === 'object';
      values.push(path.split('.'), isNot ? value.not : String(value));
      conditions.push(`body #>> $${values.length - 1} ${isNot ? '<>' : '='} $${values.length}`);
    }
    const cursor = page.starting_after ?? page.ending_before;
    const isBackwards = page.starting_after === undefined && page.ending_before !== undefined;
    if (cursor !== undefined) {
      values.push(await this.#positionOf(kind, cursor, isBackwards ? 'ending_before' : 'starting_after'));
      conditions.push(`position ${isBackwards ? '>' : '<'} $${values.length}`);
    }
    values.push(page.limit + 1);
    const { rows } = await this.client.query<{ body: Kinds[K] }>(
      `select body from payment_local.object where ${conditions.join(' and ')}
        order by position ${isBackwards ? 'asc' : 'desc'} limit $${values.length}`,
      values,
    );
    const data = rows.slice(0, page.limit).map(({ body }) => body);
    return { data: isBackwards ? data.toReversed() : data, has_more: rows.length > page.limit };
  }

  async #positionOf(kind: Kind, id: string, param: string): Promise<string> {
    const { rows } = await this.client.query<{ position: string }>(
      'select position from payment_local.object where account = $1 and id = $2 and kind = $3',
      [this.account, id, kind],
    );
    if (!rows[0]) throw resourceMissing(kind, id, param);
    return rows[0].position;
  }

  /** Records an event and its delivery to every listener. `before` holds the previous values of what changed. */
  async emit(type: Stripe.Event['type'], object: object, before?: object): Promise<void> {
    const listeners = await this.#listenersOf(type);
    const event = {
      id: newId('event'),
      object: 'event',
      ...(this.account === '' ? {} : { account: this.account }),
      api_version: Stripe.API_VERSION,
      created: this.now,
      data: { object, ...(before ? { previous_attributes: before } : {}) },
      livemode: false,
      pending_webhooks: listeners.length,
      request: { id: null, idempotency_key: null },
      type,
    } as unknown as Stripe.Event;
    await this.put(event);
    for (const endpoint of listeners) {
      await this.client.query(
        'insert into payment_local.delivery (account, event_id, endpoint_id) values ($1, $2, $3)',
        [this.account, event.id, endpoint],
      );
    }
  }

  /** Endpoints of this account, and the platform's that listen to all connected accounts. */
  async #listenersOf(type: string): Promise<string[]> {
    const { rows } = await this.client.query<{ id: string }>(
      `select id from payment_local.object
        where kind = 'webhook_endpoint' and body ->> 'status' = 'enabled'
          and (body -> 'enabled_events' ? '*' or body -> 'enabled_events' ? $2)
          and (id = $3 or (account = $1 and not coalesce((hidden ->> 'isConnect')::boolean, false))
               or (account = '' and $1 <> '' and (hidden ->> 'isConnect')::boolean))`,
      [this.account, type, OWN_ENDPOINT],
    );
    return rows.map(({ id }) => id);
  }
}

/** The account that owns the object; undefined if it does not exist. */
export async function accountOf(client: pg.PoolClient, kind: Kind, id: string): Promise<string | undefined> {
  const { rows } = await client.query<{ account: string }>(
    'select account from payment_local.object where id = $1 and kind = $2 limit 1',
    [id, kind],
  );
  return rows[0]?.account;
}

/** A setting shared by all processes: the first one to ask sets it. */
export async function sharedSecret(pool: pg.Pool, name: string, prefix: string): Promise<string> {
  const { rows } = await pool.query<{ value: string }>(
    `insert into payment_local.setting (name, value) values ($1, $2)
     on conflict (name) do update set value = setting.value returning value`,
    [name, prefix + word()],
  );
  return rows[0]?.value ?? '';
}
