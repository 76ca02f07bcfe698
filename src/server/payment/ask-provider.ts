import Stripe from 'stripe';
import { AppError } from '../app-error.ts';

/** Asks the payment provider for somebody who waits: what it answers is told in words of ours. Errors: 402, 503 and, where it
 * does not take what we ask, 500. */
export async function askProvider<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw new AppError('payment/refused');
    const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
    const isPassing = [StripeConnectionError, StripeAPIError, StripeRateLimitError].some(
      (kind) => error instanceof kind,
    );
    if (isPassing) throw new AppError('payment/unavailable', undefined, { cause: error });
    // What was wrong with our request is no fault of who made theirs.
    const isProviders = error instanceof Stripe.errors.StripeError;
    throw isProviders ? new Error('The payment provider refused a request.', { cause: error }) : error;
  }
}
