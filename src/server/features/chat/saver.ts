import type { Deps } from '../../deps.ts';
import type { LiveAnswer } from './live.ts';
import { saveProgress } from './answer-store.ts';
import type { StoredMessage } from './store.ts';

/** What has come is stored at least this often while an answer streams; this much can be lost to a kill. */
const SAVE_INTERVAL_MS = 400;

/** Stores the growing text in batches, one at a time; notices when somebody has stopped the answer from elsewhere. */
export function createSaver({ db }: Deps, answer: StoredMessage, live: LiveAnswer) {
  let text = '';
  let saving: Promise<void> | undefined;
  const timer = setInterval(() => {
    saving ??= save().finally(() => (saving = undefined));
  }, SAVE_INTERVAL_MS);
  async function save(): Promise<void> {
    // A database that is away for a moment costs a batch, not the answer: the end is stored anyway.
    const isOurs = await saveProgress(db, answer, text).catch(() => true);
    if (!isOurs) live.abort.abort('stopped');
  }
  return {
    add: (delta: string) => {
      text += delta;
    },
    finish: async () => {
      clearInterval(timer);
      await saving;
    },
  };
}
