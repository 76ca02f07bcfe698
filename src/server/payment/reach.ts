import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import { AppError, notFound } from '../app-error.ts';
import type { Locks } from '../storage/locks.ts';

/** How long a caller waits for another with the same request to the provider. */
const ALONE_WAIT_MS = 30_000;

/**
 * The provider's answer. Errors: 404 for something it doesn't have, 409 if the account can't be paid, 503 for
 * everything else.
 */
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

/** Whether the provider refused a refund because it was already made. */
export function isPaidBack(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded';
}

/** False for a deleted customer, and for one of another account or mode. */
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
 * The idempotency key that makes the provider create something once, however often it is requested. A different request
 * under a known key is an error for a day, so the key includes the request.
 */
export function onceKey(what: string, asked: object): string {
  return `${what} ${createHash('sha256').update(JSON.stringify(asked)).digest('base64url')}`;
}

/** One at a time across all processes, for things to be created at the provider once. Errors: 503 if the others take too long. */
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

/** The ID of something the provider may return expanded. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null);
}
