import type { Deps } from '../../deps.ts';
import type { Leftover } from './turn-store.ts';

/**
 * Turns are only speculative while more than this is left. Other processes and other work take from the same, so what
 * is known here may be out of date.
 */
const SPARE = { credits: 20, messages: 2 };
/** For how many organizations and people this is remembered. */
const KNOWN_MAX = 20_000;

/** Whether much was left of organizations' credits and people's messages when this process last took some. */
export class Leftovers {
  readonly #ample = new Set<string>();

  /** True if a turn that takes from these is all but certain to be granted. */
  areAmple(organizationId: string, messagesKey: string): boolean {
    if (!this.#ample.has(organizationId)) return false;
    return this.#ample.has(freeOf(organizationId, messagesKey)) || this.#ample.has(messagesKey);
  }

  /** Records the outcome of a turn; without one, or if it wasn't made, nothing counts as ample. */
  note(organizationId: string, messagesKey: string, turn: Partial<Leftover> = {}): void {
    const { made, creditsLeft, messagesLeft } = turn;
    const isMade = Boolean(made);
    this.#set(organizationId, isMade && isMore(creditsLeft, SPARE.credits));
    // Members' messages aren't counted; in other organizations they may be.
    const isFree = isMade && messagesLeft === null;
    this.#set(freeOf(organizationId, messagesKey), isFree);
    if (!isFree) this.#set(messagesKey, isMade && isMore(messagesLeft, SPARE.messages));
  }

  #set(key: string, isAmple: boolean): void {
    this.#ample.delete(key);
    if (isAmple) this.#ample.add(key);
    const [oldest] = this.#ample;
    if (this.#ample.size > KNOWN_MAX && oldest !== undefined) this.#ample.delete(oldest);
  }
}

const freeOf = (organizationId: string, messagesKey: string): string => `${organizationId} ${messagesKey}`;

/** `null`: no limit. */
function isMore(left: number | null | undefined, spare: number): boolean {
  return left === null || (left !== undefined && left > spare);
}

const known = new WeakMap<Deps['runner'], Leftovers>();

/** Those of this process, shared by all that begins turns. */
export function leftoversOf({ runner }: Pick<Deps, 'runner'>): Leftovers {
  const leftovers = known.get(runner) ?? new Leftovers();
  known.set(runner, leftovers);
  return leftovers;
}
