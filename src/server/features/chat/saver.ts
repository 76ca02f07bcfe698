import type { Database } from '../../db/scope.ts';
import { saveProgress } from './answer-store.ts';
import type { LiveAnswer } from './live.ts';
import type { StoredMessage } from './store.ts';

/** The maximum interval between saves while an answer streams; a kill can lose this much. */
const SAVE_INTERVAL_MS = 400;

/** An answer in progress whose partial text is saved. */
export interface Saver {
  add: (delta: string) => void;
  /** The final state is stored by the answer's producer. */
  finish: () => void;
}

interface Growing {
  organizationId: string;
  id: string;
  text: string;
  /** The last saved state; undefined: nothing yet. */
  stored: string | undefined;
  live: LiveAnswer;
}

/**
 * Saves the growing text of all of this process's answers together, one statement per organization: a statement per
 * answer would keep every database connection busy when hundreds stream. Notices when an answer has been stopped from
 * elsewhere.
 */
export class Savers {
  readonly #db: Database;
  readonly #growing = new Set<Growing>();
  #timer: NodeJS.Timeout | undefined;
  #isSaving = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** An answer isn't looked up until `begun` resolves. */
  open({ organizationId, id }: StoredMessage, live: LiveAnswer, begun: Promise<void>): Saver {
    const answer: Growing = { organizationId, id, text: '', stored: undefined, live };
    let isOver = false;
    void begun.then(() => {
      if (isOver) return;
      this.#growing.add(answer);
      this.#timer ??= setInterval(() => void this.#save(), SAVE_INTERVAL_MS);
    });
    return {
      add: (delta) => {
        answer.text += delta;
      },
      finish: () => {
        isOver = true;
        this.#growing.delete(answer);
        if (this.#growing.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
    };
  }

  async #save(): Promise<void> {
    if (this.#isSaving) return;
    this.#isSaving = true;
    const byOrganization = Map.groupBy(this.#growing, ({ organizationId }) => organizationId);
    for (const [organizationId, answers] of byOrganization) await this.#saveOf(organizationId, answers);
    this.#isSaving = false;
  }

  async #saveOf(organizationId: string, answers: Growing[]): Promise<void> {
    const told = answers.map(({ id, text, stored }) => ({
      id,
      text: text === stored ? null : text.toWellFormed(),
    }));
    const underWay = await saveProgress(this.#db, organizationId, told).catch(() => undefined);
    // A brief database outage costs a batch, not the answers: their final states are stored anyway.
    if (!underWay) return;
    for (const [index, answer] of answers.entries()) {
      answer.stored = told[index]?.text ?? answer.stored;
      if (this.#growing.has(answer) && !underWay.has(answer.id)) answer.live.abort.abort('stopped');
    }
  }
}
