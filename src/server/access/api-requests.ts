import { sql } from 'drizzle-orm';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/scope.ts';
import { planNumber } from './credits.ts';

/** A process takes this fraction of a minute's remaining requests at a time, so that few of them query the database. */
const PART = 8;
const MINUTE_MS = 60_000;
/** How many organizations are remembered; for a forgotten one, the rest of its share for the minute is lost. */
const KNOWN_MAX = 10_000;

/** How many requests of an organization's programs a process may still answer in the minute that ends then. */
interface Share {
  left: number;
  endsAt: number;
  /** No process has any left for this minute. */
  isAll: boolean;
}

export interface ApiRequests {
  /** One request of a program with a key. Errors: 429 when the plan allows no more in this minute. */
  take: (organizationId: string) => Promise<void>;
}

/**
 * Programs' requests, per minute of the database's clock. Processes take them in shares of what is left at the time, so
 * together they answer exactly as many as the plan allows, however the requests are distributed.
 */
export function createApiRequests(db: Database, config: Pick<Config, 'billing'>): ApiRequests {
  if (config.billing.mode === 'off') return { take: async () => {} };
  const shares = new Map<string, Promise<Share>>();
  return {
    take: async (organizationId) => {
      for (;;) {
        const promise = shares.get(organizationId);
        const share = await promise;
        // A share that ends more than a minute ahead was taken before the clock was set back.
        const isOver = !share || share.endsAt <= Date.now() || share.endsAt > Date.now() + MINUTE_MS;
        if (!isOver && share.left > 0) {
          share.left -= 1;
          return;
        }
        if (!isOver && share.isAll) throw tooMany(share);
        if (shares.get(organizationId) !== promise) continue;
        if (shares.size >= KNOWN_MAX) shares.clear();
        const taken = takeShare(db, config, organizationId);
        shares.set(organizationId, taken);
        taken.catch(() => shares.delete(organizationId));
      }
    },
  };
}

async function takeShare(
  db: Database,
  config: Pick<Config, 'billing'>,
  organizationId: string,
): Promise<Share> {
  const limit = planNumber(config, sql`${organizationId}`, 'requestsAMinute') ?? sql`0`;
  const minute = sql`floor(extract(epoch from now()) / 60)::int`;
  const part = (before: ReturnType<typeof sql>) => sql`ceil((${limit} - ${before}) / ${PART}::float8)::int`;
  const [row] = await db.once<{ granted: number | null; waitMs: number }>(
    { organizationId },
    sql`with taken as (
      insert into api_minute as mine (organization_id, minute, taken, granted)
      select ${organizationId}, ${minute}, ${part(sql`0`)}, ${part(sql`0`)} where ${limit} > 0
      on conflict (organization_id) do update set minute = excluded.minute,
          taken = case when mine.minute = excluded.minute then mine.taken + ${part(sql`mine.taken`)} else excluded.taken end,
          granted = case when mine.minute = excluded.minute then ${part(sql`mine.taken`)} else excluded.granted end
        where mine.minute < excluded.minute or mine.minute > excluded.minute + 1 or mine.taken < ${limit}
      returning granted)
    select (select granted from taken) as granted,
      ceil(1000 * (60 - mod(extract(epoch from now())::numeric, 60)))::int as "waitMs"`,
  );
  const granted = row?.granted ?? 0;
  return { left: granted, endsAt: Date.now() + (row?.waitMs ?? 0), isAll: granted === 0 };
}

function tooMany({ endsAt }: Share): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1000));
  const detail = 'This organization’s plan allows no more API requests this minute.';
  return new AppError('request/rate-limited', detail, { retryAfterSeconds });
}
