import { sql } from 'drizzle-orm';
import { notFound } from '../app-error.ts';
import type { Database, Tx } from '../db/scope.ts';
import type { UserCaller } from '../call.ts';

/**
 * A transaction scoped to the organization of a conversation, found and set in one statement. 404 when it does not exist.
 * Says nothing of whose it is: `work` reads it by its end user.
 */
export async function inConversation<T>(
  db: Database,
  caller: UserCaller,
  conversationId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.in({ userId: caller.userId }, async (tx) => {
    const { rows } = await tx.execute<{ scope: string | null }>(
      sql`select set_config('parley.organization', organization_of_conversation(${conversationId}), true) as scope`,
    );
    if (!rows[0]?.scope) throw notFound();
    return work(tx);
  });
}
