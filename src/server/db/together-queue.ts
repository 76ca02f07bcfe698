import type { SQL } from 'drizzle-orm';
import type { Early } from './often.ts';
import type { Filled } from './shape.ts';

export interface Asked {
  statement: SQL | Filled;
  /**
   * Takes the rows before they are committed if it is alone: batched with others it gets them together with the commit,
   * saving a message.
   */
  isEarly: boolean;
  /** If it is alone and can be split, it gets what it reads while it is still writing. */
  maySplit: boolean;
  resolve: (answer: Early) => void;
  reject: (error: unknown) => void;
}

/** How many messages of urgent statements a patient one lets pass. */
const PATIENCE = 3;

/**
 * The statements of one organization that wait to be sent: urgent ones, which want their rows early, and patient ones,
 * which nobody waits for.
 */
export class Queue {
  #urgent: Asked[] = [];
  #patient: Asked[] = [];
  /** When the first of the patient ones was asked. */
  #patientSince = 0;
  #onAdd: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.#urgent.length + this.#patient.length === 0;
  }

  add(asked: Asked, now: number): void {
    if (!asked.isEarly && this.#patient.length === 0) this.#patientSince = now;
    (asked.isEarly ? this.#urgent : this.#patient).push(asked);
    this.#onAdd?.();
  }

  /**
   * Resolves when every statement of the same moment has been asked, including those still to come in this round of the
   * event loop, or when so many urgent ones have that they fill a message.
   */
  gathered(max: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        if (this.#onAdd === onAdd) this.#onAdd = undefined;
        resolve();
      };
      const onAdd = () => {
        if (this.#urgent.length >= max) done();
      };
      this.#onAdd = onAdd;
      setImmediate(done);
    });
  }

  /**
   * The statements of the next message, at most `max`: the urgent ones, and with them the patient ones once the first has
   * waited for `PATIENCE` messages of `messageMs`, or of one if there are no urgent ones, or once they fill a message. They get
   * at least half of it then. Empty if only patient ones are waiting and should wait longer.
   */
  next(now: number, messageMs: number, max: number): Asked[] {
    const patienceMs = this.#urgent.length > 0 ? PATIENCE * messageMs : messageMs;
    const isDue = this.#patient.length >= max || now - this.#patientSince >= patienceMs;
    const room = Math.max(max / 2, max - this.#urgent.length);
    const patient = isDue ? this.#patient.splice(0, room) : [];
    const urgent = this.#urgent.splice(0, max - patient.length);
    return [...urgent, ...patient];
  }

  /** Resolves when another statement has been added, or the first of the patient ones has waited for one message. */
  change(messageMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, this.#patientSince + messageMs - performance.now()));
      this.#onAdd = () => {
        clearTimeout(timer);
        this.#onAdd = undefined;
        // Those of the same moment come along.
        setImmediate(resolve);
      };
    });
  }
}
