import { requireRoom } from '../../../access/quota.ts';
import type { Config } from '../../../config/config.ts';
import type { Tx } from '../../../db/scope.ts';
import type { ItemKey } from '../keys.ts';
import { textBytesOf } from '../plan-rules.ts';
import { beginRevision } from './revise.ts';
import { keepFor, listOfRevision } from '../source-store.ts';
import { updateKnowledge, type StoredKnowledge } from '../store.ts';

/**
 * Starts a revision with an older one's content: what still exists stays, what was removed is restored as it was, and
 * what was added later goes. Nothing is read from outside. Returns its number. Errors: 402 if there is no room for its
 * texts.
 */
export async function restoreRevision(
  tx: Tx,
  config: Pick<Config, 'billing'>,
  key: ItemKey,
  item: StoredKnowledge,
  older: number,
  createdBy: string,
): Promise<number> {
  const held = await listOfRevision(tx, key, older);
  const grown = textBytesOf(held) - textBytesOf(await listOfRevision(tx, key, item.revision));
  await requireRoom(tx, config, key.organizationId, 'knowledgeBytes', grown);
  const seeds = held
    .filter(({ retiredIn }) => retiredIn !== null)
    .map(({ kind, title, url, fileId, text, depth, contentHash, card, language, state, error }) => {
      const isRead = state === 'ready';
      const again = isRead ? ('embedding' as const) : state;
      return { kind, title, url, fileId, text, depth, contentHash, card, language, error, state: again };
    });
  const number = await beginRevision(tx, key, item, { cause: 'restored', createdBy, seeds });
  await keepFor(tx, key, older, number);
  const [typed] = held;
  // For editing, the item shows what its author typed.
  if (typed && (item.type === 'text' || item.type === 'qa')) {
    const isUntitled = item.type === 'text' && item.text === null;
    const { title, text } = typed;
    await updateKnowledge(tx, key, isUntitled ? { description: text ?? '' } : { description: title, text });
  }
  return number;
}
