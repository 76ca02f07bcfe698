import { sql } from 'drizzle-orm';
import type { Database } from '../../db/scope.ts';
import type { ItemKey } from './keys.ts';

/** Items of all organizations that are due; each is returned once, and again after ten minutes if nothing came of it. */
export async function takeDueItems(db: Database, most: number): Promise<ItemKey[]> {
  const { rows } = await db.unscoped.execute<ItemKey & Record<string, unknown>>(sql`
    select organization_id as "organizationId", agent_id as "agentId", knowledge_id as "knowledgeId"
      from take_due_items(${most})`);
  return rows;
}
