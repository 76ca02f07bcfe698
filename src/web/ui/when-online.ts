import { isReachable, untilOnline } from '../online.ts';

/** Loads code on demand: without a network or a server, as soon as it is back. */
export async function whenOnline<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (await isReachable()) throw error;
    await untilOnline();
    return whenOnline(load);
  }
}
