import { DELETED_AGENT_KEPT_DAYS } from '../../../contract/limits.ts';
import type { Deps } from '../../deps.ts';

/** How often to look for deleted agents whose retention period is over. */
export const PURGE_SWEEP_MS = 3_600_000;

/**
 * Permanently deletes agents whose deletion can no longer be undone, with everything that belongs to them. Runs as the
 * owner, because it looks at every organization. Returns how many there were.
 */
export async function purgeDeletedAgents({ db }: Pick<Deps, 'db'>): Promise<number> {
  const { rowCount } = await db.owner.query(
    `delete from agent where deleted_at < now() - make_interval(days => $1)`,
    [DELETED_AGENT_KEPT_DAYS],
  );
  return rowCount ?? 0;
}
