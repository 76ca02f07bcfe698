import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { newId, word as newWord } from './kinds.ts';
import { anything, id, int, listing, word } from './params.ts';
import { listOf, route, type Route } from './route.ts';

const meterFields = z.strictObject({
  ...anything,
  display_name: word.min(1),
  event_name: z.string().min(1).max(100),
  default_aggregation: z.strictObject({ formula: z.enum(['sum', 'count', 'last']) }),
  customer_mapping: z.strictObject({ event_payload_key: word.min(1), type: z.literal('by_id') }).optional(),
  value_settings: z.strictObject({ event_payload_key: word.min(1) }).optional(),
});

async function createMeter(books: Books, given: z.output<typeof meterFields>): Promise<Stripe.Billing.Meter> {
  if (await meterNamed(books, given.event_name))
    throw invalid('event_name', 'There is an active meter with this event name.', 'resource_already_exists');
  const meter: Stripe.Billing.Meter = {
    id: newId('billing.meter'),
    object: 'billing.meter',
    created: books.now,
    customer_mapping: given.customer_mapping ?? { event_payload_key: 'stripe_customer_id', type: 'by_id' },
    default_aggregation: given.default_aggregation,
    display_name: given.display_name,
    event_name: given.event_name,
    event_time_window: null,
    livemode: false,
    status: 'active',
    status_transitions: { deactivated_at: null },
    updated: books.now,
    value_settings: given.value_settings ?? { event_payload_key: 'value' },
  };
  await books.put(meter);
  await books.emit('billing.meter.created', meter);
  return meter;
}

async function meterNamed(books: Books, eventName: string): Promise<Stripe.Billing.Meter | undefined> {
  const { data } = await books.list('billing.meter', { event_name: eventName, status: 'active' });
  return data[0];
}

const eventFields = z.strictObject({
  ...anything,
  event_name: word.min(1),
  payload: z.record(word, word),
  identifier: z.string().max(100).optional(),
  timestamp: int.optional(),
});

async function addUse(books: Books, given: z.output<typeof eventFields>): Promise<object> {
  const meter = await meterNamed(books, given.event_name);
  if (!meter)
    throw invalid(
      'event_name',
      `No active meter found for event name ${given.event_name}.`,
      'resource_missing',
    );
  const {
    [meter.customer_mapping.event_payload_key]: customer,
    [meter.value_settings.event_payload_key]: value,
  } = given.payload;
  await books.get('customer', customer ?? '', 'payload');
  if (!/^\d{1,12}$/.test(value ?? ''))
    throw invalid('payload', 'The value must be a whole number.', 'billing_meter_event_invalid_value');
  const identifier = given.identifier ?? newWord();
  const eventId = `mtrevt_${identifier}`;
  if (await books.find('billing.meter_event', eventId))
    throw invalid('identifier', 'An event already exists with this identifier.', 'resource_already_exists');
  const event = {
    object: 'billing.meter_event' as const,
    created: books.now,
    event_name: given.event_name,
    identifier,
    livemode: false,
    payload: given.payload,
    timestamp: given.timestamp ?? books.now,
  };
  await books.put({ id: eventId, ...event });
  return event;
}

interface Use {
  meter: string;
  customer: string;
  from: number;
  until: number;
}

/** A customer's usage in a period, according to the meter's aggregation. */
export async function usedUnits(
  books: Books,
  { meter: meterId, customer, from, until }: Use,
): Promise<number> {
  const meter = await books.find('billing.meter', meterId);
  if (!meter) return 0;
  const key = `payload.${meter.customer_mapping.event_payload_key}`;
  const { data } = await books.list('billing.meter_event', { event_name: meter.event_name, [key]: customer });
  const used = data.filter(({ timestamp }) => timestamp >= from && timestamp < until);
  const values = used.map(({ payload }) => Number(payload[meter.value_settings.event_payload_key]));
  if (meter.default_aggregation.formula === 'count') return values.length;
  // Newest first.
  if (meter.default_aggregation.formula === 'last') return values[0] ?? 0;
  return values.reduce((sum, value) => sum + value, 0);
}

async function setStatus(
  books: Books,
  meterId: string,
  status: 'active' | 'inactive',
): Promise<Stripe.Billing.Meter> {
  const meter = await books.get('billing.meter', meterId);
  meter.status = status;
  meter.status_transitions = { deactivated_at: status === 'active' ? null : books.now };
  await books.put(meter);
  await books.emit(status === 'active' ? 'billing.meter.reactivated' : 'billing.meter.deactivated', meter);
  return meter;
}

export const meterRoutes: Route[] = [
  route('POST', '/v1/billing/meters', meterFields, createMeter),
  route(
    'GET',
    '/v1/billing/meters',
    z.strictObject({ ...listing, status: z.enum(['active', 'inactive']).optional() }),
    async (books, { status, ...page }) =>
      listOf('/v1/billing/meters', await books.list('billing.meter', { status }, page)),
  ),
  route('GET', '/v1/billing/meters/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('billing.meter', id),
  ),
  route('POST', '/v1/billing/meters/:id/deactivate', z.strictObject(anything), (books, _input, { id }) =>
    setStatus(books, id, 'inactive'),
  ),
  route('POST', '/v1/billing/meters/:id/reactivate', z.strictObject(anything), (books, _input, { id }) =>
    setStatus(books, id, 'active'),
  ),
  route('POST', '/v1/billing/meter_events', eventFields, addUse),
  route(
    'GET',
    '/v1/billing/meters/:id/event_summaries',
    z.strictObject({ ...listing, customer: id, start_time: int, end_time: int }),
    async (books, { customer, start_time: start, end_time: end }, { id }) => {
      await books.get('billing.meter', id);
      const value = await usedUnits(books, { meter: id, customer, from: start, until: end });
      const summary = {
        id: `mtrusg_test_${newWord()}`,
        object: 'billing.meter_event_summary',
        aggregated_value: value,
        end_time: end,
        livemode: false,
        meter: id,
        start_time: start,
      };
      return listOf(`/v1/billing/meters/${id}/event_summaries`, { data: [summary], has_more: false });
    },
  ),
];
