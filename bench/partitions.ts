import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { percentile, printTable } from './report.ts';

/**
 * Whether a partitioned message table would beat the current one: `node bench/partitions.ts [--messages 5000000]
 * [--partitions 16]`. The same rows in two tables with `message`'s indexes, one of them hash-partitioned by
 * conversation (which nearly all reads go by), and on each the operations the product does with messages. Times in
 * milliseconds.
 */
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '5000000' },
    partitions: { type: 'string', default: '16' },
  },
});
const messages = Number(values.messages);
const partitions = Number(values.partitions);

const OPERATIONS = 5000;
const MESSAGES_A_CONVERSATION = 12;
const CONVERSATIONS_AN_ORGANIZATION = 5000;

const columns = `id text not null, organization_id text not null, conversation_id text not null, role text not null, body text not null,
  state text not null, citations jsonb not null default '[]', parent_id text, send_key text, sequence int not null, runner bigint,
  receipt jsonb, created_at timestamptz not null default now()`;

interface Table {
  name: string;
  make: string[];
}

/** A unique key of a partitioned table must include the partition key. */
const tables: Table[] = [
  {
    name: 'whole',
    make: [`create table whole (${columns}, primary key (id))`, ...indexesOf('whole')],
  },
  {
    name: 'parted',
    make: [
      `create table parted (${columns}, primary key (conversation_id, id)) partition by hash (conversation_id)`,
      ...Array.from(
        { length: partitions },
        (_, part) =>
          `create table parted_${part} partition of parted for values with (modulus ${partitions}, remainder ${part})`,
      ),
      `create index on parted (id)`,
      ...indexesOf('parted'),
    ],
  },
];

function indexesOf(name: string): string[] {
  return [
    `create unique index on ${name} (conversation_id, sequence)`,
    `create index on ${name} (parent_id)`,
    `create unique index on ${name} (conversation_id, send_key) where send_key is not null`,
    `create index on ${name} (runner) where runner is not null`,
  ];
}

const conversationOf = (index: string): string => `'cnv_' || md5((${index})::text)`;

/** One conversation after another; conversation ids are in no order, like those of most conversations active at a time. */
const fill = (name: string): string => `
  insert into ${name} (id, organization_id, conversation_id, role, body, state, parent_id, sequence, receipt)
  select 'msg_' || lpad(i::text, 12, '0') || md5(i::text), 'org_' || (conversation / ${CONVERSATIONS_AN_ORGANIZATION}),
      ${conversationOf('conversation')}, case when sequence % 2 = 0 then 'user' else 'assistant' end, repeat('Nine to five. ', 15), 'complete',
      case when sequence > 0 then 'msg_' || lpad((i - 1)::text, 12, '0') || md5((i - 1)::text) end, sequence, '{"model": "x", "totalMs": 900}'
    from (select i, i / ${MESSAGES_A_CONVERSATION} as conversation, i % ${MESSAGES_A_CONVERSATION} as sequence
            from generate_series(0, ${messages} - 1) i) each`;

const folder = await makeTemporaryFolder('partitions');
const postgres = await startEmbeddedPostgres({ dataDir: folder });
const client = new pg.Client({ connectionString: postgres.connectionString });
await client.connect();

async function timed(statement: string, params: unknown[] = []): Promise<number> {
  const began = performance.now();
  await client.query(statement, params);
  return performance.now() - began;
}

let state = 7;
/** The same numbers on every run. */
const random = (most: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state % most;
};
const conversations = Math.floor(messages / MESSAGES_A_CONVERSATION);

/** The way the product sends statements: with parameters, planned each time. */
async function often(name: string, statement: string, paramsOf: (at: number) => Promise<unknown[]>) {
  const took: number[] = [];
  for (let at = 0; at < OPERATIONS; at += 1) took.push(await timed(statement, await paramsOf(at)));
  return { [`${name} p50`]: percentile(took, 0.5), [`${name} p99`]: percentile(took, 0.99) };
}

async function measure({ name, make }: Table): Promise<Record<string, string | number>> {
  for (const statement of make) await client.query(statement);
  const filled = await timed(fill(name));
  const vacuum = await timed(`vacuum analyze ${name}`);
  const { rows: ids } = await client.query<{ id: string; conversation_id: string }>(
    `select id, conversation_id from ${name} tablesample system (0.5) limit ${OPERATIONS}`,
  );
  const one = (at: number) => ids[at % ids.length] as (typeof ids)[number];
  const someConversation = async () => {
    const { rows } = await client.query<{ id: string }>(
      `select ${conversationOf(String(random(conversations)))} as id`,
    );
    return [rows[0]?.id];
  };
  const history = await often(
    'history',
    `select * from ${name} where conversation_id = $1 order by sequence desc limit 20`,
    someConversation,
  );
  const byId = await often('by id', `select * from ${name} where id = $1`, async (at) => [one(at).id]);
  const settle = await often(
    'settle',
    `update ${name} set state = 'complete', receipt = receipt || '{"x": 1}' where id = $1 and conversation_id = $2`,
    async (at) => [one(at).id, one(at).conversation_id],
  );
  const say = await often(
    'say',
    `insert into ${name} (id, organization_id, conversation_id, role, body, state, sequence)
     select 'new_' || $1 || s, 'org_1', ${conversationOf('$1')}, 'user', 'Said', 'complete', 100 + s from generate_series(1, 2) s`,
    async (at) => [String(at)],
  );
  const forget = await timed(`delete from ${name} where conversation_id in (
    select ${conversationOf('i')} from generate_series(0, ${CONVERSATIONS_AN_ORGANIZATION} - 1) i)`);
  const vacuumAfter = await timed(`vacuum ${name}`);
  const { rows } = await client.query<{ mib: number }>(
    `select round(sum(pg_total_relation_size(relid)) / 1048576)::int as mib
       from (select '${name}'::regclass as relid union select relid from pg_partition_tree('${name}')) part`,
  );
  return {
    table: name,
    'fill s': filled / 1000,
    ...history,
    ...byId,
    ...settle,
    ...say,
    'forget s': forget / 1000,
    'vacuum s': vacuum / 1000,
    'vacuum after s': vacuumAfter / 1000,
    MiB: rows[0]?.mib ?? Number.NaN,
  };
}

try {
  const rows = [];
  for (const table of tables) rows.push(await measure(table));
  printTable(rows);
  await mkdir('bench/results', { recursive: true });
  await writeFile(
    path.join('bench/results', 'partitions.json'),
    `${JSON.stringify({ messages, partitions, rows }, undefined, 2)}\n`,
  );
} finally {
  await client.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
