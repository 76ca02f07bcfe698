import { STARVED_TIMES } from '../worker/limits.ts';
import { PDF_STREAM_MAX_BYTES } from './limits.ts';

let refused = 0;
let isOver = (): boolean => false;
let isBound = false;

/**
 * Limits the size of every buffer in this thread from now on. A PDF stream's unpacked size is known only after
 * unpacking, and a thread's memory limit doesn't count buffers, so nothing else would stop a stream that expands a
 * thousandfold. Without the platform's own decompression, which has no limit, the reader uses one that fills such
 * buffers.
 */
export function boundThread(): void {
  if (isBound) return;
  isBound = true;
  Reflect.deleteProperty(globalThis, 'DecompressionStream');
  globalThis.Uint8Array = boundedBytes(Uint8Array);
  const now = Date.now.bind(Date);
  // The reader runs without pausing, so no timer could stop it; but it checks the time every hundred steps.
  Date.now = () => {
    if (isOver()) throw new RangeError('This page takes too long.');
    return now();
  };
}

/** How many buffers have been refused in this thread so far. */
export function refusedBuffers(): number {
  return refused;
}

/** Does the work unless the reader is still busy when its time is used up; then fails with `tooLong`. */
export async function within<T>(ms: number, work: () => Promise<T>, tooLong: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  isOver = processorLimit(ms);
  const look = setInterval(() => isOver() && reject(tooLong()), ms / LOOKS);
  try {
    const done = await Promise.race([work(), promise]);
    // When stopped, the reader returns half a page.
    if (isOver()) throw tooLong();
    return done;
  } finally {
    isOver = () => false;
    clearInterval(look);
  }
}

/** How often, within a page's time, to check whether that is over while the reader pauses. */
const LOOKS = 10;

/**
 * Whether this much CPU time has been used since; stays true once it is. By wall-clock time, a page read today would be
 * refused on a busy day; that only ends waiting for something that never comes.
 */
function processorLimit(ms: number): () => boolean {
  const since = performance.now();
  const before = process.cpuUsage();
  let isUsedUp = false;
  return () => {
    const passed = performance.now() - since;
    // Reading the clock is cheaper.
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
      // The class itself is behind the proxy, so reading bytes is as fast as ever; its subclasses stay as they are.
      return Reflect.construct(bytes, args, self === bounded ? bytes : (self as typeof bytes)) as Uint8Array;
    },
  });
  return bounded;
}
