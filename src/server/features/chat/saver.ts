import type { Database } from '../../db/scope.ts';
import { saveProgress } from './answer-store.ts';
import type { LiveAnswer } from './live.ts';
import type { StoredMessage } from './store.ts';

/** What has come is stored at least this often while an answer streams; this much can be lost to a kill. */
const SAVE_INTERVAL_MS = 400;

/** One answer in the making, of which is kept what has come. */
export interface Saver {
  add: (delta: string) => void;
  /** The end of the answer is stored by who makes it. */
  finish: () => void;
}

interface Growing {
  organizationId: string;
  id: string;
  text: string;
  /** What was stored of it last; undefined: nothing yet. */
  stored: string | undefined;
  live: LiveAnswer;
}

/**
 * Stores the growing text of all answers of this process together, one statement an organization: a statement each would keep
 * every connection to the database busy when hundreds stream. Notices when somebody has stopped an answer from elsewhere.
 */
export class Savers {
  readonly #db: Database;
  readonly #growing = new Set<Growing>();
  #timer: NodeJS.Timeout | undefined;
  #isSaving = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** An answer that is not `begun` yet is not looked for. */
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
    // A database that is away for a moment costs a batch, not the answers: their ends are stored anyway.
    if (!underWay) return;
    for (const [index, answer] of answers.entries()) {
      answer.stored = told[index]?.text ?? answer.stored;
      if (this.#growing.has(answer) && !underWay.has(answer.id)) answer.live.abort.abort('stopped');
    }
  }
}
