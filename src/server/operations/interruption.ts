/** The pending cleanups, newest last. */
const tidies: (() => void)[] = [];
let heldOff = 0;
let isInterrupted = false;

/** From now on a command that ends by Ctrl-C, a stop signal or an internal error runs all cleanups. */
export function heedInterruptions(say: (line: string) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      isInterrupted = true;
      endIfInterrupted();
    });
  process.once('exit', () => {
    for (const tidy of tidies.toReversed()) tidy();
    if (isInterrupted) say('Interrupted. Nothing was left behind.');
  });
}

function endIfInterrupted(): void {
  if (isInterrupted && heldOff === 0) process.exit(130);
}

/**
 * Until the returned function is called, a command that is interrupted leaves nothing half-made behind: no file that
 * may hold every secret, no folder the next attempt would find full, no database that nobody stops. The cleanup is
 * synchronous: other work would otherwise write again meanwhile.
 */
export function whenInterrupted(tidy: () => void): () => void {
  tidies.push(tidy);
  return () => {
    const at = tidies.indexOf(tidy);
    if (at !== -1) tidies.splice(at, 1);
  };
}

/** Work that can be cleaned up only once it is complete is not interrupted midway. */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  heldOff += 1;
  try {
    return await work();
  } finally {
    heldOff -= 1;
    endIfInterrupted();
  }
}
