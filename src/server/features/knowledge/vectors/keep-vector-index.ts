import type pg from 'pg';
import {
  indexNameOf,
  LARGE_AGENT,
  listIndexes,
  readExtension,
  type VectorIndex,
} from '../../../db/vector-extension.ts';
import type { Deps as AllDeps } from '../../../deps.ts';
import type { Embedder } from '../../../llm/embed.ts';
import { createIndexSql, readLargest, type LargestAgent } from './vector-index.ts';

/** How often to check whether an agent has become large enough for an index to be worthwhile. */
export const VECTOR_INDEX_SWEEP_MS = 60_000;

/** An advisory lock held while an index is built or removed: only one process does it. */
const INDEX_LOCK = 7_210_007;
/**
 * The graph is built in this much memory, about 1 KB per passage; beyond that, the rest takes several times as long. In
 * a single PostgreSQL process, because several would share memory, which is scarce in containers.
 */
const BUILD_SETTINGS = `set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0; set lock_timeout = 0`;

type Deps = Pick<AllDeps, 'db' | 'log'>;

/** Which indexes are dropped, and whether one is to be built. */
export interface Plan {
  drop: string[];
  make: number | undefined;
}

/**
 * An index is built when an agent has more vectors of a given length than `large`, and kept until the largest agent has
 * half as many. Those left unfinished by a kill are dropped, as are those for other lengths: only one model's vectors
 * are searched.
 */
export function planIndexes(
  indexes: VectorIndex[],
  largest: Pick<LargestAgent, 'vectors' | 'dimensions'> | undefined,
  large = LARGE_AGENT,
): Plan {
  const isOurs = (index: VectorIndex) => index.dimensions === largest?.dimensions;
  const mayStay = largest !== undefined && largest.vectors > large / 2;
  const drop = indexes.filter((index) => !(mayStay && isOurs(index) && index.isValid));
  const isThere = indexes.some((index) => isOurs(index) && !drop.includes(index));
  const make = largest && largest.vectors > large && !isThere ? largest.dimensions : undefined;
  return { drop: drop.map(({ name }) => name), make };
}

/** On each call, checks whether the index is as it should be, and fixes it if not. Ends early on the signal. */
export function vectorIndexKeeper(
  { db, log }: Deps,
  embedder: Pick<Embedder, 'name' | 'dimensions'>,
  { signal, large = LARGE_AGENT }: { signal: AbortSignal; large?: number },
): () => Promise<void> {
  let isTold = false;
  const plan = async (owner: pg.Pool | pg.ClientBase): Promise<Plan> => {
    const largest = await readLargest(owner, embedder.name, large / 2);
    const dimensions = embedder.dimensions() ?? largest?.dimensions;
    const asked = largest && dimensions !== undefined ? { ...largest, dimensions } : undefined;
    return planIndexes(await listIndexes(owner), asked, large);
  };
  const make = async (client: pg.ClientBase, dimensions: number): Promise<void> => {
    const schema = await extensionIn(client);
    if (schema === undefined) {
      if (!isTold)
        log.info(
          'an agent has very many passages, and the database has no pgvector 0.8: searches compare all',
        );
      isTold = true;
      return;
    }
    const started = performance.now();
    const index = indexNameOf(dimensions);
    log.info({ index }, 'building a vector index');
    await client.query(createIndexSql(dimensions, schema));
    log.info(
      { index, seconds: Math.round((performance.now() - started) / 1000) },
      'the vector index is ready',
    );
  };
  return async () => {
    if (signal.aborted || isNothing(await plan(db.owner))) return;
    await alone(db.owner, signal, async (client) => {
      // Another process may have done it meanwhile.
      const { drop, make: dimensions } = await plan(client);
      for (const name of drop) await client.query(`drop index concurrently if exists public.${name}`);
      if (dimensions !== undefined) await make(client, dimensions);
    });
  };
}

const isNothing = ({ drop, make }: Plan): boolean => drop.length === 0 && make === undefined;

/** The extension's schema, after installing it in the database if permitted. Undefined: unavailable. */
async function extensionIn(client: pg.ClientBase): Promise<string | undefined> {
  const found = await readExtension(client);
  if (found.isUsable) return found.schema;
  if (!found.isToBeHad) return undefined;
  // Without permission it is left to an administrator; `parley doctor` says so.
  await client.query('create extension if not exists vector').catch(() => undefined);
  const made = await readExtension(client);
  return made.isUsable ? made.schema : undefined;
}

/** On a dedicated connection, unless another process is at it; its statement is canceled on the signal. */
async function alone(
  owner: pg.Pool,
  signal: AbortSignal,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await owner.connect();
  let cancel = (): void => undefined;
  try {
    const { rows } = await client.query<{ mine: boolean; pid: number }>(
      'select pg_try_advisory_lock($1) as mine, pg_backend_pid() as pid',
      [INDEX_LOCK],
    );
    if (!rows[0]?.mine) return;
    const { pid } = rows[0];
    cancel = () => void owner.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined);
    signal.addEventListener('abort', cancel);
    signal.throwIfAborted();
    await client.query(BUILD_SETTINGS);
    await work(client);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // Frees it for the next one: closing the connection would release the lock a little later.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined);
    // The settings end with the connection.
    client.release(true);
  }
}
