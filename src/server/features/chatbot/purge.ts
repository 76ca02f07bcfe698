import { DELETED_AGENT_KEPT_DAYS } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';

/** How often deleted agents whose time is over are looked for. */
export const PURGE_SWEEP_MS = 3_600_000;

/**
 * Deletes for good the agents that were deleted so long ago that it cannot be undone any more, with everything that hangs
 * on them. Runs as the owner, because it looks at every organization. Returns how many there were.
 */
export async function purgeDeletedAgents({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { rowCount } = await db.owner.query(
    `delete from agent where deleted_at < now() - make_interval(days => $1)`,
    [DELETED_AGENT_KEPT_DAYS],
  );
  return rowCount ?? 0;
}
