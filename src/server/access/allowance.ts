import { sql, type SQL } from 'drizzle-orm';
import { AppError } from '../app-error.ts';
import type { Tx } from '../db/scope.ts';
import { hashSecret } from '../identity/secrets.ts';

export interface AllowanceLimit {
  max: number;
  /** The length of the counting window. */
  seconds: number;
}

/**
 * Whether a moment `at` still counts. One further ahead than the window comes from a clock that has since been set
 * back, and doesn't.
 */
const isLately = (seconds: number): SQL =>
  sql`at > clock_timestamp() - make_interval(secs => ${seconds}) and at < clock_timestamp() + make_interval(secs => ${seconds})`;

/** The form in which a key is stored. */
export const allowanceKey = hashSecret;

/**
 * Takes from each key's allowance (see `allowanceKey`), as part of a statement. `taken` selects keys, each once, with an
 * array of the moments at which they take one. Returns the keys that had enough left, with how many they have `taken`
 * in total; nothing is taken from the others. Exact across all processes, however many ask at once; returned if the
 * transaction is rolled back.
 */
export function allowanceSql(taken: SQL, { max, seconds }: AllowanceLimit): SQL {
  const counts = isLately(seconds);
  return sql`
    insert into allowance as mine (key, taken_at, expires_at)
    select taken.key, taken.at, now() + make_interval(secs => ${seconds}) from (${taken}) as taken (key, at)
     where cardinality(taken.at) <= ${max}
    on conflict (key) do update
      set taken_at = array(select at from unnest(mine.taken_at) as at where ${counts}) || excluded.taken_at,
          expires_at = excluded.expires_at
      where (select count(*) from unnest(mine.taken_at) as at where ${counts}) + cardinality(excluded.taken_at) <= ${max}
    returning key, cardinality(mine.taken_at) as taken`;
}

/** Takes one right away. Errors: 429 with the time until one is available again. */
export async function takeAllowance(tx: Tx, key: string, limit: AllowanceLimit): Promise<void> {
  const one = sql`select ${allowanceKey(key)}, array[clock_timestamp()]`;
  const taken = await tx.execute(allowanceSql(one, limit));
  if (taken.rows.length > 0) return;
  const { wait } = await takenOf(tx, key, limit);
  throw refused(wait);
}

/** Takes nothing: a check before costly work for which one is taken later. Errors: 429 when none is left. */
export async function requireAllowance(tx: Tx, key: string, limit: AllowanceLimit): Promise<void> {
  const { taken, wait } = await takenOf(tx, key, limit);
  if (taken >= limit.max) throw refused(wait);
}

/** How many were taken in the window, and the seconds until one more is available. */
async function takenOf(
  tx: Tx,
  key: string,
  limit: AllowanceLimit,
): Promise<{ taken: number; wait: number | null }> {
  const since = sql`clock_timestamp() - make_interval(secs => ${limit.seconds})`;
  const { rows } = await tx.execute<{ taken: number; wait: number | null }>(sql`
    select count(*)::int as taken, ceil(extract(epoch from min(at) - (${since})))::int as wait
      from allowance, unnest(taken_at) as at where key = ${allowanceKey(key)} and ${isLately(limit.seconds)}`);
  return rows[0] ?? { taken: 0, wait: null };
}

function refused(wait: number | null): AppError {
  const retryAfterSeconds = Math.max(1, wait ?? 1);
  const detail = `Too many requests. Try again in ${said(retryAfterSeconds)}.`;
  return new AppError('request/rate-limited', detail, { retryAfterSeconds });
}

/** Rounded up. */
function said(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * The group of addresses a limit treats as one: an IPv6 /64 network belongs to one subscriber, and IPv4 is IPv4 however
 * it is written.
 */
export function addressGroup(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [plain = ''] = address.split('%');
  const host = URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return address;
  const [head = '', tail] = host.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail?.split(':').filter(Boolean) ?? [];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  return groups.slice(0, 4).join(':');
}
