import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { newId } from './kinds.ts';
import { address, anything, flag, id, listing, mergeMetadata, metadata, word } from './params.ts';
import { listOf, route, type Route } from './route.ts';

const LINK_SECONDS = 300;

const requested = z.strictObject({ requested: flag }).optional();
const accountFields = {
  ...anything,
  email: word.optional(),
  metadata: metadata.optional(),
  business_type: z.enum(['company', 'government_entity', 'individual', 'non_profit']).optional(),
  business_profile: z
    .strictObject({ mcc: word, name: word, product_description: word, support_email: word, url: address })
    .partial()
    .optional(),
  capabilities: z.strictObject({ card_payments: requested, transfers: requested }).optional(),
};
const needed = [
  'business_profile.url',
  'business_type',
  'external_account',
  'tos_acceptance.date',
  'tos_acceptance.ip',
];

async function createAccount(
  books: Books,
  given: z.output<z.ZodObject<typeof accountFields>> & { country?: string | undefined },
): Promise<Stripe.Account> {
  const account = {
    id: newId('account').slice(0, 21),
    object: 'account',
    business_profile: {
      annual_revenue: null,
      estimated_worker_count: null,
      mcc: null,
      name: null,
      support_address: null,
      support_email: null,
      support_phone: null,
      support_url: null,
      url: null,
      ...given.business_profile,
    },
    business_type: given.business_type ?? null,
    capabilities: { card_payments: 'inactive', transfers: 'inactive' },
    charges_enabled: false,
    country: given.country ?? 'US',
    created: books.now,
    default_currency: 'usd',
    details_submitted: false,
    email: given.email ?? null,
    external_accounts: { object: 'list', data: [], has_more: false, url: '' },
    metadata: mergeMetadata({}, given.metadata),
    payouts_enabled: false,
    requirements: requirementsOf(needed),
    future_requirements: requirementsOf([]),
    settings: {},
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'express',
  } as unknown as Stripe.Account;
  await books.put(account);
  return account;
}

function requirementsOf(due: string[]): object {
  return {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: due.length > 0 ? 'requirements.past_due' : null,
    errors: [],
    eventually_due: due,
    past_due: due,
    pending_verification: [],
  };
}

/** How far a person got on the onboarding page: complete, or submitted with something still missing. */
export async function onboard(
  books: Books,
  accountId: string,
  state: 'complete' | 'incomplete',
): Promise<void> {
  const account = await books.get('account', accountId, 'account');
  const isComplete = state === 'complete';
  const before = {
    charges_enabled: account.charges_enabled,
    details_submitted: account.details_submitted,
    payouts_enabled: account.payouts_enabled,
  };
  const capability = isComplete ? 'active' : 'pending';
  Object.assign(account, {
    business_type: account.business_type ?? 'individual',
    capabilities: { card_payments: capability, transfers: capability },
    charges_enabled: isComplete,
    details_submitted: true,
    payouts_enabled: isComplete,
    requirements: requirementsOf(isComplete ? [] : ['external_account']),
  });
  await books.put(account);
  // Stripe reports accounts to their platform as those accounts' own events.
  await books.of(accountId).emit('account.updated', account, before);
}

async function updateAccount(
  books: Books,
  given: z.output<z.ZodObject<typeof accountFields>>,
  accountId: string,
): Promise<Stripe.Account> {
  const account = await books.get('account', accountId);
  if (given.email !== undefined) account.email = given.email;
  if (given.business_type !== undefined) account.business_type = given.business_type;
  if (given.business_profile) Object.assign(account.business_profile ?? {}, given.business_profile);
  account.metadata = mergeMetadata(account.metadata ?? {}, given.metadata);
  await books.put(account);
  await books.of(accountId).emit('account.updated', account);
  return account;
}

async function createLink(
  books: Books,
  pages: string,
  given: { account: string; return_url?: string | undefined },
): Promise<Stripe.AccountLink> {
  await books.get('account', given.account, 'account');
  const linkId = newId('account_link');
  const link: Stripe.AccountLink = {
    object: 'account_link',
    created: books.now,
    expires_at: books.now + LINK_SECONDS,
    url: `${pages}/account/${linkId}`,
  };
  await books.put({ ...link, id: linkId }, { accountId: given.account, returnUrl: given.return_url ?? '' });
  return link;
}

export function connectRoutes(pages: () => string): Route[] {
  return [
    route(
      'POST',
      '/v1/accounts',
      z.strictObject({
        ...accountFields,
        type: z.literal('express').optional(),
        country: z.string().length(2).optional(),
      }),
      (books, { type: _, ...given }) => createAccount(books, given),
    ),
    route('GET', '/v1/accounts', z.strictObject(listing), async (books, input) =>
      listOf('/v1/accounts', await books.list('account', {}, input)),
    ),
    // Requested by an account itself, which a platform does with the header.
    route('GET', '/v1/account', z.strictObject(anything), (books) =>
      books.of('').get('account', books.account),
    ),
    route('GET', '/v1/accounts/:id', z.strictObject(anything), (books, _input, { id }) =>
      books.of('').get('account', id),
    ),
    route('POST', '/v1/accounts/:id', z.strictObject(accountFields), (books, input, { id }) =>
      updateAccount(books, input, id),
    ),
    route('DELETE', '/v1/accounts/:id', z.strictObject({}), async (books, _input, { id }) => {
      await books.get('account', id);
      await books
        .of(id)
        .emit('account.application.deauthorized', { id: 'ca_parley', object: 'application', name: 'Parley' });
      await books.remove('account', id);
      return { id, object: 'account', deleted: true };
    }),
    route(
      'POST',
      '/v1/account_links',
      z.strictObject({
        ...anything,
        account: id,
        refresh_url: address.optional(),
        return_url: address.optional(),
        type: z.enum(['account_onboarding', 'account_update']),
      }),
      (books, input) => createLink(books, pages(), input),
    ),
  ];
}
