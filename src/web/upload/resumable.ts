import type { DetailedError, Upload } from 'tus-js-client';
import { UPLOAD_CHUNK_MAX_BYTES, UPLOAD_CHUNK_MIN_BYTES } from '../../contract/limits.ts';
import { problemIn, UploadError } from './failure.ts';
import { isTemporary, Patience, retryDelays } from './patience.ts';
import { forget, recall, remember } from './remembered.ts';
import type { Transfer, TransferEvents, UploadPort } from './transfer.ts';

const UPLOAD_PATH = '/v1/file/upload';

/** After a chunk has arrived, the next one is twice as large, up to the maximum. */
export function nextChunk(size: number): number {
  return Math.min(2 * size, UPLOAD_CHUNK_MAX_BYTES);
}

/** Sends a file in chunks over the tus protocol. Its client is loaded when first needed. */
export function sendResumable(file: File, port: UploadPort, events: TransferEvents): Transfer {
  const sending = new Sending(file, port, events);
  return { run: () => sending.run(), stop: () => sending.stop(), abandon: () => sending.abandon() };
}

class Sending {
  readonly #file: File;
  readonly #port: UploadPort;
  readonly #events: TransferEvents;
  readonly #patience = new Patience();
  #upload: Upload | undefined;
  /** Counts starts and stops, to recognize leftovers of an earlier start. */
  #turn = 0;

  constructor(file: File, port: UploadPort, events: TransferEvents) {
    this.#file = file;
    this.#port = port;
    this.#events = events;
  }

  async run(): Promise<string> {
    this.#turn += 1;
    const turn = this.#turn;
    const { Upload } = await import('tus-js-client');
    // Stopped while the client was loading.
    if (turn !== this.#turn) return new Promise<never>(() => {});
    this.#patience.progressed();
    await new Promise<void>((resolve, reject) => {
      this.#upload ??= this.#begin(Upload);
      Object.assign(this.#upload.options, { onSuccess: () => resolve(), onError: reject });
      this.#upload.start();
    }).catch((error: unknown) => {
      throw explained(error as Error | DetailedError);
    });
    return this.#finish();
  }

  async stop(): Promise<void> {
    this.#turn += 1;
    await this.#upload?.abort();
  }

  async abandon(): Promise<void> {
    this.#turn += 1;
    const path = this.#path();
    if (path !== undefined) forget(path);
    // An unreachable server forgets it by itself within a day.
    await this.#upload?.abort(true).catch(() => undefined);
  }

  #begin(TusUpload: typeof Upload): Upload {
    const { size } = this.#file;
    const known = recall(this.#port.scope, this.#file);
    const upload: Upload = new TusUpload(this.#file, {
      endpoint: UPLOAD_PATH,
      uploadUrl: known?.uploadUrl ?? null,
      metadata: { ...this.#port.metadata, filename: this.#file.name },
      chunkSize: UPLOAD_CHUNK_MIN_BYTES,
      retryDelays,
      storeFingerprintForResuming: false,
      onBeforeRequest: async (request) => {
        const token = await this.#port.token();
        if (token) request.setHeader('Authorization', `Bearer ${token}`);
      },
      onUploadUrlAvailable: () => this.#remember(known?.sent ?? 0),
      onProgress: (sent) => this.#events.onProgress(sent),
      onChunkComplete: (_chunk, accepted) => {
        this.#patience.progressed();
        upload.options.chunkSize = nextChunk(upload.options.chunkSize ?? UPLOAD_CHUNK_MIN_BYTES);
        this.#events.onRetrying(false);
        this.#events.onProgress(accepted);
        if (accepted < size) this.#remember(accepted);
      },
      onShouldRetry: (error) => {
        upload.options.chunkSize = UPLOAD_CHUNK_MIN_BYTES;
        const isPiece = error.originalRequest.getMethod() === 'PATCH';
        const isRetrying = this.#patience.allows(statusOf(error), isPiece ? 'upload' : 'operation');
        this.#events.onRetrying(isRetrying);
        return isRetrying;
      },
    });
    return upload;
  }

  #remember(sent: number): void {
    const uploadUrl = this.#path();
    if (uploadUrl === undefined) return;
    const { name, size, lastModified } = this.#file;
    remember({ scope: this.#port.scope, name, size, lastModified, uploadUrl, sent, begunAt: Date.now() });
  }

  async #finish(): Promise<string> {
    const path = this.#path() ?? '';
    const id = await this.#port.finish(path.split('/').at(-1) ?? '');
    forget(path);
    return id;
  }

  #path(): string | undefined {
    const url = this.#upload?.url;
    return url ? new URL(url, location.origin).pathname : undefined;
  }
}

function statusOf(error: DetailedError): number {
  return error.originalResponse?.getStatus() ?? 0;
}

function explained(error: Error | DetailedError): Error {
  if (!('originalResponse' in error)) return error;
  const status = statusOf(error);
  const problem = problemIn(error.originalResponse?.getBody() ?? '');
  if (isTemporary(status) && problem === undefined)
    return new UploadError('storage/retry-limit-exceeded', error.message);
  return new UploadError(problem?.code ?? 'storage/unknown', problem?.detail ?? error.message);
}
