import type { Readable } from 'node:stream';
import { AppError } from '../app-error.ts';

/** So much may wait to be read before the sender is held back. */
const WAITING_MAX_BYTES = 1024 * 1024;
/** A sender that has said its last word gets this long to end as well, so that its connection can be used again. */
const FAREWELL_MS = 1000;
const LAST_WORD = Buffer.from('data: [DONE]');

/**
 * A body as the web's kind of stream. The pieces of one packet are one, but for the very first, which somebody waits for. It fails when it is cut
 * off or longer than `maxBytes`; it is over with the `[DONE]` of a stream of events, whether or not the connection ends with it. `onEnd` is
 * called once, when the sender has ended.
 */
export function webStream(body: Readable, maxBytes: number, onEnd: () => void): ReadableStream<Uint8Array> {
  let size = 0;
  let isOver = false;
  body.once('close', onEnd);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let waiting: Buffer[] = [];
        const handOn = (): void => {
          const [only] = waiting;
          if (!only || isOver) return;
          controller.enqueue(waiting.length === 1 ? only : Buffer.concat(waiting));
          waiting = [];
          if ((controller.desiredSize ?? 0) <= 0) body.pause();
        };
        const end = (finish: () => void): void => {
          if (isOver) return;
          handOn();
          isOver = true;
          finish();
        };
        body.on('data', (piece: Buffer) => {
          if (isOver) return;
          const isFirst = size === 0;
          size += piece.length;
          if (size > maxBytes) {
            end(() => controller.error(tooLarge()));
            body.destroy();
            return;
          }
          if (waiting.push(piece) === 1 && !isFirst) setImmediate(handOn);
          if (isLastWord(piece)) {
            end(() => controller.close());
            sayFarewell(body);
          } else if (isFirst) handOn();
        });
        body.once('end', () => end(() => controller.close()));
        body.on('error', (error) => end(() => controller.error(cutOff(error))));
        body.once('close', () => end(() => controller.error(cutOff(undefined))));
      },
      pull: () => void body.resume(),
      cancel: () => {
        isOver = true;
        body.destroy();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: WAITING_MAX_BYTES }),
  );
}

function sayFarewell(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), FAREWELL_MS).unref();
  body.once('close', () => clearTimeout(timer));
}

/** Only when it is a line of its own at the end: a text can speak of it. */
function isLastWord(piece: Buffer): boolean {
  let end = piece.length;
  while (end > 0 && (piece[end - 1] === 10 || piece[end - 1] === 13)) end -= 1;
  const start = end - LAST_WORD.length;
  if (start < 0 || end === piece.length) return false;
  return piece.subarray(start, end).equals(LAST_WORD) && (start === 0 || piece[start - 1] === 10);
}

function tooLarge(): AppError {
  return new AppError('egress/failed', 'The answer of the provider is too large.');
}

function cutOff(error: unknown): AppError {
  return new AppError('egress/failed', 'The provider ended the connection.', { cause: error });
}
