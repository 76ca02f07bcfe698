import Stripe from 'stripe';
import { AppError } from '../app-error.ts';

/**
 * Asks the payment provider on behalf of a waiting person: its errors are reported in our own words. Errors: 402, 503
 * and, if the provider rejects our request, 500.
 */
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
    // An invalid request of ours is not the caller's fault.
    const isProviders = error instanceof Stripe.errors.StripeError;
    throw isProviders ? new Error('The payment provider refused a request.', { cause: error }) : error;
  }
}
