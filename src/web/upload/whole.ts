import { ApiError } from '../../contract/client.ts';
import { Patience, retryDelays } from './patience.ts';
import type { Transfer, TransferEvents, UploadPort } from './transfer.ts';

/** Sends a file in one request. When stopped, nothing is kept, and it is sent again from the start. */
export function sendWhole(
  file: File,
  port: UploadPort,
  { onProgress, onRetrying }: TransferEvents,
): Transfer {
  let stopping = new AbortController();
  const stop = async (): Promise<void> => {
    stopping.abort();
    onProgress(0);
  };
  return {
    run: async () => {
      stopping = new AbortController();
      const { signal } = stopping;
      const id = await tried(() => port.send(file, signal), signal, onRetrying);
      onProgress(file.size);
      return id;
    },
    stop,
    abandon: stop,
  };
}

async function tried(
  attempt: () => Promise<string>,
  signal: AbortSignal,
  onRetrying: TransferEvents['onRetrying'],
): Promise<string> {
  const patience = new Patience();
  for (const delay of [...retryDelays, 0]) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) return new Promise<never>(() => {});
      if (!(error instanceof ApiError) || !patience.allows(error.status, 'upload')) throw error;
      onRetrying(true);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
  return attempt();
}
