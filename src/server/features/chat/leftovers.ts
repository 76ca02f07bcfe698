import type { Leftover } from './turn-store.ts';

/**
 * Turns are only speculative while more than this is left. Other processes spend the same credits, so what is known here
 * may be out of date; one person's messages seldom go to two processes at once.
 */
const SPARE = { credits: 20, messages: 2 };
/** For how many organizations and people this is remembered. */
const KNOWN_MAX = 20_000;

/** What this process last saw left of organizations' credits and people's messages. */
export class Leftovers {
  readonly #areAmple = new Map<string, boolean>();

  /** True if a turn that takes from these is all but certain to be granted. */
  areAmple(...keys: string[]): boolean {
    return keys.every((key) => this.#areAmple.get(key) === true);
  }

  /** Records the outcome of a turn; one that wasn't made only shows that not enough is left. */
  note(organizationId: string, messagesKey: string, turn: Partial<Leftover> = {}): void {
    const { made, creditsLeft, messagesLeft } = turn;
    this.#set(organizationId, Boolean(made) && isMore(creditsLeft, SPARE.credits));
    this.#set(messagesKey, Boolean(made) && isMore(messagesLeft, SPARE.messages));
  }

  #set(key: string, isAmple: boolean): void {
    this.#areAmple.delete(key);
    this.#areAmple.set(key, isAmple);
    const [oldest] = this.#areAmple.keys();
    if (this.#areAmple.size > KNOWN_MAX && oldest !== undefined) this.#areAmple.delete(oldest);
  }
}

/** `null`: no limit. */
function isMore(left: number | null | undefined, spare: number): boolean {
  return left === null || (left !== undefined && left > spare);
}
