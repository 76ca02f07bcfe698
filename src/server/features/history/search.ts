import type { Conversation } from '../../../contract/chat.ts';
import type { ChatCaller } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { agentsOf, conversationOf, listByIds } from '../chat/store.ts';
import { organizationsOf, searchOwn, type Hit } from './store.ts';

interface Asked {
  words: string[];
  count: number;
  before: { updatedAt: Date; id: string } | undefined;
}

/**
 * Searches a person's conversations in every organization where they have some, each within its own, and merges the
 * results in one order. `last` is the place to continue from; undefined at the end.
 */
export async function searchHistory(
  { db }: Pick<Deps, 'db'>,
  { userId }: ChatCaller,
  { words, count, before }: Asked,
): Promise<{ hits: (Hit & { conversation: Conversation })[]; last: Hit | undefined }> {
  const organizations = await db.in({ userId }, (tx) => organizationsOf(tx, userId));
  const found = await Promise.all(
    organizations.map((organizationId) =>
      db.in({ organizationId, userId }, (tx) =>
        searchOwn(tx, organizationId, userId, { words, count: count + 1, before }),
      ),
    ),
  );
  const ordered = found
    .flat()
    .toSorted((a, b) => Number(b.updatedAt) - Number(a.updatedAt) || (a.id < b.id ? 1 : -1));
  const page = ordered.slice(0, count);
  const stored = await db.in({ userId }, (tx) =>
    listByIds(
      tx,
      userId,
      page.map(({ id }) => id),
    ),
  );
  const agents = await agentsOf(db, stored);
  const shown = new Map(
    stored.flatMap((each) => {
      const agent = agents.get(each.agentId);
      return agent && !agent.deletedAt ? [[each.id, conversationOf(each, agent, userId)] as const] : [];
    }),
  );
  return {
    hits: page.flatMap((hit) => {
      const conversation = shown.get(hit.id);
      return conversation ? [{ ...hit, conversation }] : [];
    }),
    last: ordered.length > count ? page.at(-1) : undefined,
  };
}
