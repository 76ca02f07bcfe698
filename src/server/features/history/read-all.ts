import type { Tx } from '../../db/scope.ts';
import { listMessages, type ConversationKey, type ReadMessage } from '../chat/store.ts';

const AT_ONCE = 500;
/** A longer conversation is exported up to this point. */
const MOST = 20_000;

/** Every message of every branch, oldest first. */
export async function readAll(tx: Tx, key: ConversationKey, reader: string): Promise<ReadMessage[]> {
  const all: ReadMessage[] = [];
  while (all.length < MOST) {
    const after = all.at(-1)?.sequence;
    const page = await listMessages(tx, key, reader, { count: AT_ONCE, after, branch: 'all' });
    all.push(...page);
    if (page.length < AT_ONCE) break;
  }
  return all;
}
