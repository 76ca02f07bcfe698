import type { ErrorCode } from '../../contract/errors.ts';
import { AppError } from '../app-error.ts';

const codes: Partial<Record<number, ErrorCode>> = {
  404: 'resource/not-found',
  409: 'storage/upload-offset',
  410: 'storage/upload-expired',
  412: 'storage/tus-version',
  413: 'request/too-large',
  423: 'storage/upload-locked',
};

/**
 * Rejections by the protocol library's server, in our words. `thrown` is the underlying error: ours are passed on, the
 * library's own are objects with a `status_code` and a `body`, and anything else is a fault.
 */
export function uploadFailure(status: number, thrown: unknown): Error {
  if (thrown instanceof AppError) return thrown;
  const said = (thrown as { body?: unknown } | undefined)?.body;
  const isItsOwn = thrown === undefined || typeof said === 'string';
  if (!isItsOwn && thrown instanceof Error) return thrown;
  if (said === 'Request aborted due to lock acquired') return new AppError('storage/upload-locked');
  const code = codes[status];
  if (code) return new AppError(code);
  return new AppError('request/invalid', typeof said === 'string' ? said.trim() : undefined);
}
