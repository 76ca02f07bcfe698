import { PDF_STREAM_MAX_BYTES } from './limits.ts';

let refused = 0;
let deadline = Number.POSITIVE_INFINITY;
let isBound = false;

/**
 * Keeps every buffer of this thread below a limit from now on. What a stream of a PDF unpacks to is known only when it
 * is unpacked, and the limit of a thread's memory does not count buffers, so nothing else would end a stream that
 * unpacks a thousandfold. Without the platform's own unpacking, which has no limit, the reader uses one that fills
 * such buffers.
 */
export function boundThread(): void {
  if (isBound) return;
  isBound = true;
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  globalThis.Uint8Array = boundedBytes(Uint8Array);
  const now = Date.now.bind(Date);
  // The reader goes on without a pause, so no timer could end it; but it asks for the time after every hundred steps.
  Date.now = () => {
    const time = now();
    if (time > deadline) throw new RangeError('This page takes too long.');
    return time;
  };
}

/** How many buffers were refused in this thread so far. */
export function refusedBuffers(): number {
  return refused;
}

/** Does the work unless the reader is still at it when the time is over; then fails with `tooLong`. */
export async function within<T>(ms: number, work: () => Promise<T>, tooLong: () => Error): Promise<T> {
  const end = performance.now() + ms;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLong()), ms);
  deadline = Date.now() + ms;
  try {
    const done = await Promise.race([work(), promise]);
    // What the reader makes of being stopped is half a page.
    if (performance.now() > end) throw tooLong();
    return done;
  } finally {
    deadline = Number.POSITIVE_INFINITY;
    clearTimeout(timer);
  }
}

function boundedBytes(bytes: Uint8ArrayConstructor): Uint8ArrayConstructor {
  const bounded: Uint8ArrayConstructor = new Proxy(bytes, {
    construct: (_target, args: unknown[], self: unknown) => {
      const [length] = args;
      if (typeof length === 'number' && length > PDF_STREAM_MAX_BYTES) {
        refused += 1;
        throw new RangeError('This buffer would be too large.');
      }
      // The class itself stands behind the proxy, so reading bytes is as fast as ever; its heirs stay what they are.
      return Reflect.construct(bytes, args, self === bounded ? bytes : (self as typeof bytes)) as Uint8Array;
    },
  });
  return bounded;
}
