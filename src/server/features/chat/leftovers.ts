import type { Leftover } from './turn-store.ts';

/**
 * A turn is only speculated on while more than this is left. Other processes spend the same credits, so what is known here may
 * be out of date; a person's own messages are seldom sent to two processes at once.
 */
const SPARE = { credits: 20, messages: 2 };
/** For so many organizations and people it is remembered what is left. */
const KNOWN_MAX = 20_000;

/** What this process last heard was left of the credits of organizations and the messages of people. */
export class Leftovers {
  readonly #areAmple = new Map<string, boolean>();

  /** True when a turn that draws on these will all but certainly be granted. */
  areAmple(...keys: string[]): boolean {
    return keys.every((key) => this.#areAmple.get(key) === true);
  }

  /** After a turn; of one that was not made only that not enough is left. */
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

/** Null: there is no limit. */
function isMore(left: number | null | undefined, spare: number): boolean {
  return left === null || (left !== undefined && left > spare);
}
