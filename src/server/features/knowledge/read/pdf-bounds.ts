import { STARVED_TIMES } from '../worker/limits.ts';
import { PDF_STREAM_MAX_BYTES } from './limits.ts';

let refused = 0;
let isOver = (): boolean => false;
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
    if (isOver()) throw new RangeError('This page takes too long.');
    return now();
  };
}

/** How many buffers were refused in this thread so far. */
export function refusedBuffers(): number {
  return refused;
}

/** Does the work unless the reader is still at it when its time is used up; then fails with `tooLong`. */
export async function within<T>(ms: number, work: () => Promise<T>, tooLong: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  isOver = processorLimit(ms);
  const look = setInterval(() => isOver() && reject(tooLong()), ms / LOOKS);
  try {
    const done = await Promise.race([work(), promise]);
    // What the reader makes of being stopped is half a page.
    if (isOver()) throw tooLong();
    return done;
  } finally {
    isOver = () => false;
    clearInterval(look);
  }
}

/** So often in the time of a page it is asked whether that is over, where the reader pauses. */
const LOOKS = 10;

/**
 * Whether so much time of the processor has been used since, for good when it was once. By the clock alone the same page would be read
 * today and refused on a busy day; it ends only what waits for something that never comes.
 */
function processorLimit(ms: number): () => boolean {
  const since = performance.now();
  const before = process.cpuUsage();
  let isUsedUp = false;
  return () => {
    const passed = performance.now() - since;
    // The clock costs less to be asked.
    if (isUsedUp || passed <= ms) return isUsedUp;
    const { user, system } = process.cpuUsage(before);
    isUsedUp = (user + system) / 1000 > ms || passed > STARVED_TIMES * ms;
    return isUsedUp;
  };
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
