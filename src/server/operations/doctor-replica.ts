import pg from 'pg';
import type { Config } from '../config/config.ts';
import { quick } from '../db/timeouts.ts';
import { error, ok, warning, type Finding } from './findings.ts';

/** A replica further behind than this is hardly ever read. */
const BEHIND_SECONDS = 1;

/** Whether the replica, if one is configured, is one and keeps up. Problems with it slow reports down and stop nothing. */
export async function lookAtReplica({
  databaseReplicaUrl,
}: Pick<Config, 'databaseReplicaUrl'>): Promise<Finding[]> {
  if (databaseReplicaUrl === undefined) return [];
  const client = new pg.Client({ connectionString: databaseReplicaUrl, ...quick });
  try {
    await client.connect();
    const { rows } = await client.query<{ isReplica: boolean; behind: number | null }>(`
      select pg_is_in_recovery() as "isReplica",
             case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
                  else extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 end as behind`);
    const { isReplica, behind } = rows[0] ?? { isReplica: false, behind: null };
    if (!isReplica)
      return [error('The database of DATABASE_REPLICA_URL is not a replica, so it is not read.')];
    if (behind === null) return [warning('The replica has not replicated anything yet, so it is not read.')];
    return [
      behind > BEHIND_SECONDS
        ? warning(`The replica is ${behind.toFixed(0)} s behind, so the primary is read instead.`)
        : ok('Insights and lists of end users are read from the replica.'),
    ];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return [error(`The replica of DATABASE_REPLICA_URL cannot be read: ${why}`)];
  } finally {
    await client.end().catch(() => undefined);
  }
}
