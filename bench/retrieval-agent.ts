import { randomBytes } from 'node:crypto';
import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { connect } from '../src/server/db/open.ts';
import { source } from '../src/server/db/schema/knowledge.ts';
import type { Database } from '../src/server/db/scope.ts';
import { indexSources } from '../src/server/features/knowledge/index/index-sources.ts';
import type { ItemKey } from '../src/server/features/knowledge/keys.ts';
import { administer, withDatabase } from '../test/database-server.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { newId } from '../src/server/id.ts';
import { createLog } from '../src/server/log.ts';

interface BenchDatabase {
  database: Database;
  close: () => Promise<void>;
}

/** On an existing server: a dedicated database, dropped afterwards. */
export async function openBenchDatabaseAt(server: string): Promise<BenchDatabase> {
  const name = `parley_bench_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name}`);
  const open = await connect(
    withDatabase(server, name),
    { databasePoolSize: 12, databaseTimeoutSeconds: 300 },
    createLog({ logLevel: 'error' }),
  );
  return {
    database: open.database,
    close: async () => {
      await open.close();
      await administer(server, `drop database if exists ${name} with (force)`);
    },
  };
}

/** A dedicated database in a temporary folder, with an installation's settings. */
export async function openBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await makeTemporaryFolder('bench');
  const postgres = await startEmbeddedPostgres({ dataDir });
  const open = await connect(
    postgres.connectionString,
    { databasePoolSize: 12 },
    createLog({ logLevel: 'error' }),
  );
  return {
    database: open.database,
    close: async () => {
      await open.close();
      await postgres.stop();
      // The database may live elsewhere, where its own user can reach it.
      await rm(await realpath(path.join(dataDir, 'postgres')), { recursive: true, force: true });
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** An organization with an agent that has one empty knowledge item. */
export async function makeItem({ owner }: Database): Promise<ItemKey> {
  const item = {
    organizationId: newId('organization'),
    agentId: newId('agent'),
    knowledgeId: newId('knowledge'),
  };
  const { organizationId, agentId, knowledgeId } = item;
  await owner.query(
    `insert into organization (id, name, profile_photo, created_by) values ($1, 'Bench', '', '')`,
    [organizationId],
  );
  await owner.query(
    `insert into agent (id, organization_id, name, handle, profile_photo, appearance, conversation_starters, model_settings)
     values ($1, $2, 'Bench', $1, '', '{}', '[]', '{}')`,
    [agentId, organizationId],
  );
  await owner.query(
    `insert into knowledge (id, organization_id, agent_id, type, description) values ($1, $2, $3, 'text', 'Bench')`,
    [knowledgeId, organizationId, agentId],
  );
  return item;
}

/**
 * Gives the item this many passages, as rows of one block without words: for searches that don't match by words. Much
 * faster than the product's index.
 */
export async function givePassages({ owner }: Database, item: ItemKey, count: number): Promise<void> {
  const { organizationId, agentId, knowledgeId } = item;
  const sourceId = newId('source');
  await drizzle({ client: owner })
    .insert(source)
    .values({ ...item, id: sourceId, kind: 'text', title: '', text: '' });
  const { rows } = await owner.query<{ id: string }>(
    `insert into index_block (organization_id, agent_id, knowledge_id, chunk_count, word_count, languages)
     values ($1, $2, $3, $4, 0, '{}') returning id`,
    [organizationId, agentId, knowledgeId, count],
  );
  await owner.query(
    `insert into chunk (id, number, organization_id, agent_id, source_id, block_id, ordinal, text, "offset")
     select $2 || '-' || at, nextval('chunk_number'), $1, $2, $3, $4::bigint, at, 'Passage ' || at, 0
     from generate_series(1, $5::int) as at`,
    [organizationId, agentId, sourceId, rows[0]?.id, count],
  );
}

/** How much text the product, and so the benchmarks, index in one transaction. */
const BATCH_CHARACTERS = 1_000_000;

/** Adds these documents to the item, one source each, through the product's own index; returns their source ids in order. */
export async function giveDocuments(
  database: Database,
  item: ItemKey,
  documents: { title: string; text: string }[],
): Promise<string[]> {
  const rows = documents.map((document) => ({
    ...document,
    ...item,
    id: newId('source'),
    kind: 'text' as const,
  }));
  for (const batch of batches(rows)) {
    await database.in({ organizationId: item.organizationId }, async (tx) => {
      await tx.insert(source).values(batch);
      await indexSources(
        tx,
        item,
        batch.map(({ id }) => id),
      );
    });
  }
  return rows.map(({ id }) => id);
}

function* batches<T extends { text: string }>(rows: T[]): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const row of rows) {
    batch.push(row);
    size += row.text.length;
    if (size < BATCH_CHARACTERS && batch.length < 2000) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}
