type Type = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

interface More {
  code?: string;
  param?: string;
  declineCode?: string;
  paymentIntent?: object;
  /** What was written before it is kept: a refused payment is on record as attempted. */
  keeps?: boolean;
}

/** A failure in Stripe's format; the official libraries turn it into their own error classes. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: Type;
  readonly more: More;

  constructor(status: number, type: Type, message: string, more: More = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.more = more;
  }

  get body(): object {
    const { code, param, declineCode, paymentIntent } = this.more;
    const error = { type: this.type, message: this.message, code, param };
    return { error: { ...error, decline_code: declineCode, payment_intent: paymentIntent } };
  }
}

export function invalid(param: string, message: string, code = 'parameter_invalid'): ApiError {
  return new ApiError(400, 'invalid_request_error', message, { code, param });
}

/** The same answer for a missing object and for another account's. */
export function resourceMissing(kind: string, id: string, param: string): ApiError {
  const name = kind.replace(/^.*\./, '').replaceAll('_', '');
  const status = param === 'id' ? 404 : 400;
  return new ApiError(status, 'invalid_request_error', `No such ${name}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}
