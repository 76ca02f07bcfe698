import type Stripe from 'stripe';
import * as z from 'zod';
import { OWN_ENDPOINT, type Books } from './books.ts';
import { invalid } from './api-error.ts';
import { newId, word as newWord } from './kinds.ts';
import { address, anything, flag, int, listing, mergeMetadata, metadata, word } from './params.ts';
import { DAY_SECONDS } from './periods.ts';
import { advanceClock } from './renewals.ts';
import { listOf, route, type Route } from './route.ts';

const eventNames = z.array(z.string().regex(/^(\*|[a-z0-9_.]+)$/)).min(1);

interface NewEndpoint {
  url: string;
  enabled_events: string[];
  connect?: boolean | undefined;
  description?: string | undefined;
  metadata?: Record<string, string> | null | undefined;
}

async function createEndpoint(books: Books, given: NewEndpoint): Promise<Stripe.WebhookEndpoint> {
  const secret = `whsec_${newWord()}`;
  const endpoint: Stripe.WebhookEndpoint = {
    id: newId('webhook_endpoint'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: books.now,
    description: given.description ?? null,
    enabled_events: given.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, given.metadata),
    status: 'enabled',
    url: given.url,
  };
  await books.put(endpoint, { secret, isConnect: given.connect ?? false });
  // Shown only once.
  return { ...endpoint, secret };
}

/** The installation's own endpoint: it receives everything, including events of connected accounts. */
export async function ensureOwnEndpoint(books: Books, secret: string): Promise<void> {
  if (await books.find('webhook_endpoint', OWN_ENDPOINT)) return;
  const made: Stripe.WebhookEndpoint = {
    id: OWN_ENDPOINT,
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: books.now,
    description: 'This installation',
    enabled_events: ['*'],
    livemode: false,
    metadata: {},
    status: 'enabled',
    url: 'http://localhost',
  };
  await books.put(made, { secret, isConnect: true });
}

const endpointRoutes: Route[] = [
  route(
    'POST',
    '/v1/webhook_endpoints',
    z.strictObject({
      ...anything,
      url: address,
      enabled_events: eventNames,
      connect: flag.optional(),
      description: word.optional(),
      metadata: metadata.optional(),
    }),
    createEndpoint,
  ),
  route('GET', '/v1/webhook_endpoints', z.strictObject(listing), async (books, input) =>
    listOf('/v1/webhook_endpoints', await books.list('webhook_endpoint', {}, input)),
  ),
  route('GET', '/v1/webhook_endpoints/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('webhook_endpoint', id),
  ),
  route(
    'POST',
    '/v1/webhook_endpoints/:id',
    z.strictObject({
      ...anything,
      url: address.optional(),
      enabled_events: eventNames.optional(),
      disabled: flag.optional(),
      description: word.optional(),
      metadata: metadata.optional(),
    }),
    async (books, { expand: _, disabled, metadata, ...given }, { id }) => {
      const endpoint = await books.get('webhook_endpoint', id);
      Object.assign(endpoint, given, { metadata: mergeMetadata(endpoint.metadata, metadata) });
      if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
      await books.put(endpoint);
      return endpoint;
    },
  ),
  route('DELETE', '/v1/webhook_endpoints/:id', z.strictObject({}), async (books, _input, { id }) => {
    await books.get('webhook_endpoint', id);
    await books.remove('webhook_endpoint', id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

const eventRoutes: Route[] = [
  route(
    'GET',
    '/v1/events',
    z.strictObject({ ...listing, type: word.optional() }),
    async (books, { type, ...page }) => listOf('/v1/events', await books.list('event', { type }, page)),
  ),
  route('GET', '/v1/events/:id', z.strictObject(anything), (books, _input, { id }) => books.get('event', id)),
];

const CLOCK_KEPT_DAYS = 30;
/** Stripe's own limit per step is two periods; here it keeps a wrong number from producing years of renewals. */
const ADVANCE_MAX_SECONDS = 3 * 366 * DAY_SECONDS;

/** All clocks are the stand-in's single clock: advancing one sets the time for everybody. */
const clockRoutes: Route[] = [
  route(
    'POST',
    '/v1/test_helpers/test_clocks',
    z.strictObject({ ...anything, frozen_time: int, name: word.optional() }),
    async (books, { name }) => {
      const clock: Stripe.TestHelpers.TestClock = {
        id: newId('test_helpers.test_clock'),
        object: 'test_helpers.test_clock',
        created: books.now,
        deletes_after: books.now + CLOCK_KEPT_DAYS * DAY_SECONDS,
        frozen_time: books.now,
        livemode: false,
        name: name ?? null,
        status: 'ready',
        status_details: {},
      };
      await books.put(clock);
      return clock;
    },
  ),
  route('GET', '/v1/test_helpers/test_clocks', z.strictObject(listing), async (books, input) =>
    listOf('/v1/test_helpers/test_clocks', await books.list('test_helpers.test_clock', {}, input)),
  ),
  route('GET', '/v1/test_helpers/test_clocks/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('test_helpers.test_clock', id),
  ),
  route('DELETE', '/v1/test_helpers/test_clocks/:id', z.strictObject({}), async (books, _input, { id }) => {
    await books.get('test_helpers.test_clock', id);
    await books.remove('test_helpers.test_clock', id);
    return { id, object: 'test_helpers.test_clock', deleted: true };
  }),
  route(
    'POST',
    '/v1/test_helpers/test_clocks/:id/advance',
    z.strictObject({ ...anything, frozen_time: int }),
    async (books, { frozen_time: time }, { id }) => {
      const clock = await books.get('test_helpers.test_clock', id);
      if (time <= books.now || time > books.now + ADVANCE_MAX_SECONDS)
        throw invalid('frozen_time', 'frozen_time must be later than now, by three years at most.');
      await advanceClock(books, time);
      clock.frozen_time = time;
      await books.put(clock);
      await books.of('', time).emit('test_helpers.test_clock.ready', clock);
      return clock;
    },
  ),
];

export const hookRoutes: Route[] = [...endpointRoutes, ...eventRoutes, ...clockRoutes];
