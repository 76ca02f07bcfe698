/** What is still to be tidied, the newest last. */
const tidies: (() => void)[] = [];
let heldOff = 0;
let isInterrupted = false;

/** From here on a command that ends by Ctrl-C, by being told to stop or by a mistake of ours has everything tidied. */
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
 * Until the function that is returned is called, a command that ends leaves nothing half made behind: neither a file that may hold every
 * secret, nor a folder that the next try would find full, nor a database that nobody stops. It does not wait: what else goes on
 * would write again meanwhile.
 */
export function whenInterrupted(tidy: () => void): () => void {
  tidies.push(tidy);
  return () => {
    const at = tidies.indexOf(tidy);
    if (at !== -1) tidies.splice(at, 1);
  };
}

/** What is begun here, and can be tidied only when it is whole, is not interrupted in the middle. */
export async function uninterrupted<T>(work: () => Promise<T>): Promise<T> {
  heldOff += 1;
  try {
    return await work();
  } finally {
    heldOff -= 1;
    endIfInterrupted();
  }
}
