import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { AppError, notFound } from '../app-error.ts';
import type { Locks } from '../storage/locks.ts';

/** So long one who asks the provider for the same waits for another. */
const ALONE_WAIT_MS = 30_000;

/** What the provider answers. Errors: 404 for what it does not have, 409 when the account cannot be paid, 503 for all else. */
export async function reach<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (error.statusCode === 404 || error.code === 'resource_missing') throw notFound();
    if (error.code === 'account_invalid' || error instanceof Stripe.errors.StripePermissionError)
      throw new AppError('payment/account-needed', undefined, { cause: error });
    throw new AppError('payment/unavailable', undefined, { cause: error });
  }
}

/** True when the provider refused to pay back what it has paid back already. */
export function isPaidBack(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded';
}

/** False for a customer who was deleted, and for one of another account or mode. */
export async function isThere(
  stripe: Stripe,
  customer: string,
  options: Stripe.RequestOptions = {},
): Promise<boolean> {
  try {
    return !(await stripe.customers.retrieve(customer, {}, options)).deleted;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
      return false;
    throw error;
  }
}

/**
 * The key under which the provider makes something once, however often the same is asked for. Another request under a known key
 * is an error for a day, so that what is asked for stands in it.
 */
export function onceKey(what: string, asked: object): string {
  return `${what} ${createHash('sha256').update(JSON.stringify(asked)).digest('base64url')}`;
}

/** One at a time over all processes, for what must be made at the provider once. Errors: 503 when the others take too long. */
export async function alone<T>(
  { locks }: { locks: Locks },
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const release = await locks
    .take(what, () => undefined, ALONE_WAIT_MS)
    .catch((error: unknown) => {
      throw new AppError('payment/unavailable', undefined, { cause: error });
    });
  try {
    return await work();
  } finally {
    await release();
  }
}

/** The id of what the provider may give whole. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}
