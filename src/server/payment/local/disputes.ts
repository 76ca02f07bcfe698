import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { newId } from './kinds.ts';
import { anything, flag, id, listing, mergeMetadata, metadata, word } from './params.ts';
import { listOf, route, type Route } from './route.ts';
import { DAY_SECONDS } from './periods.ts';

const DAYS_FOR_EVIDENCE = 9;

export async function openDispute(books: Books, charge: Stripe.Charge): Promise<void> {
  const dispute = {
    id: newId('dispute'),
    object: 'dispute',
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: books.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: books.now + DAYS_FOR_EVIDENCE * DAY_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  } as unknown as Stripe.Dispute;
  await books.put(dispute);
  charge.disputed = true;
  await books.put(charge);
  await books.emit('charge.dispute.created', dispute);
  await books.emit('charge.dispute.funds_withdrawn', dispute);
}

async function close(books: Books, dispute: Stripe.Dispute, status: 'won' | 'lost'): Promise<Stripe.Dispute> {
  if (dispute.status === 'won' || dispute.status === 'lost')
    throw invalid('id', 'This dispute is already closed.', 'dispute_already_closed');
  const before = { status: dispute.status };
  dispute.status = status;
  await books.put(dispute);
  await books.emit('charge.dispute.closed', dispute, before);
  if (status === 'won') await books.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

export const disputeRoutes: Route[] = [
  route(
    'GET',
    '/v1/disputes',
    z.strictObject({ ...listing, charge: id.optional(), payment_intent: id.optional() }),
    async (books, { charge, payment_intent, ...page }) =>
      listOf('/v1/disputes', await books.list('dispute', { charge, payment_intent }, page)),
  ),
  route('GET', '/v1/disputes/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('dispute', id),
  ),
  route(
    'POST',
    '/v1/disputes/:id',
    z.strictObject({
      ...anything,
      evidence: z.strictObject({ uncategorized_text: word.optional() }).optional(),
      metadata: metadata.optional(),
      submit: flag.optional(),
    }),
    async (books, { evidence, metadata, submit }, { id }) => {
      const dispute = await books.get('dispute', id);
      dispute.metadata = mergeMetadata(dispute.metadata, metadata);
      const text = evidence?.uncategorized_text;
      if (text !== undefined) {
        dispute.evidence = { ...dispute.evidence, uncategorized_text: text };
        dispute.evidence_details.has_evidence = true;
      }
      // As in Stripe's own test mode, this text decides.
      if (submit !== false && text === 'winning_evidence') return close(books, dispute, 'won');
      if (submit !== false && text === 'losing_evidence') return close(books, dispute, 'lost');
      await books.put(dispute);
      await books.emit('charge.dispute.updated', dispute);
      return dispute;
    },
  ),
  route('POST', '/v1/disputes/:id/close', z.strictObject(anything), async (books, _input, { id }) =>
    close(books, await books.get('dispute', id), 'lost'),
  ),
];
