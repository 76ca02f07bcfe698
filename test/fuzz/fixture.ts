import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { administer, withDatabase } from '../database-server.ts';
import { join } from '../join.ts';
import { startProduct, type Product } from '../product.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { INSTRUCTIONS_CANARY, keptSecrets, plantCanaries, PROVIDER_CANARY } from '../access/canaries.ts';
import { callers, createWorld, type CallerKind, type Things, type World } from '../access/world.ts';

/** The callers of the access matrix, a former member, and a program of the other organization. */
export const fuzzCallers = [...callers, 'removed', 'foreignKey'] as const;
export type FuzzCaller = (typeof fuzzCallers)[number];

/** The callers whose calls may change the other organization. */
export const outsiders: readonly FuzzCaller[] = ['outsider', 'foreignKey'];

/** A world's data without its functions: enough for the matrix's inputs. */
type WorldData = World;

/** Two freshly furnished organizations, in a database that is copied for each batch. */
export interface Fixture {
  world: WorldData;
  tokens: Partial<Record<FuzzCaller, string>>;
  /** What no response, log line or frame may contain. */
  canaries: string[];
  /** An application on its own copy. */
  open: (logged: string[]) => Promise<Product>;
  close: () => Promise<void>;
}

/** A provider that is unreachable: nothing about it may be revealed when it fails. */
const overrides = {
  logLevel: 'debug' as const,
  providers: { openai: { apiKey: PROVIDER_CANARY, baseUrl: 'http://127.0.0.1:9/v1', model: 'stand-in' } },
};

export async function furnishFixture(): Promise<Fixture> {
  const server = inject('databaseUrl');
  const dataDir = await makeTemporaryFolder('fuzz');
  const database = await newDatabase(server, inject('templateDatabase'));
  const product = await startProduct(
    { ...overrides, databaseUrl: withDatabase(server, database), dataDir },
    { logged: [] },
  );
  const world = await createWorld(product);
  const canaries = [
    PROVIDER_CANARY,
    ...(await plantCanaries(world.as('owner'), world)),
    ...(await plantCanaries(world.as('outsider'), world.foreign, '-B')),
    ...(await keptSecrets(product)).values,
  ];
  const tokens = await tokensOf(product, world);
  await product.close();
  return {
    world,
    tokens,
    canaries,
    open: (logged) => openCopy({ server, database, dataDir }, logged),
    close: async () => {
      await administer(server, `drop database if exists ${database} with (force)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function newDatabase(server: string, template: string): Promise<string> {
  const name = `parley_fuzz_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template ${template}`);
  return name;
}

async function openCopy(
  from: { server: string; database: string; dataDir: string },
  logged: string[],
): Promise<Product> {
  const database = await newDatabase(from.server, from.database);
  const dataDir = path.join(await makeTemporaryFolder('fuzz'), 'data');
  await cp(from.dataDir, dataDir, { recursive: true });
  const databaseUrl = withDatabase(from.server, database);
  const product = await startProduct({ ...overrides, databaseUrl, dataDir }, { logged });
  return {
    ...product,
    close: async () => {
      await product.close();
      await administer(from.server, `drop database if exists ${database} with (force)`);
      await rm(path.dirname(dataDir), { recursive: true, force: true });
    },
  };
}

async function tokensOf(product: Product, world: World): Promise<Fixture['tokens']> {
  const { organizationId, foreign } = world;
  const owner = world.as('owner');
  const removed = await join(product, owner, 'removed', { organizationId, role: 'editor' });
  const removedToken = (await removed.refresh()).idToken;
  await owner.member.remove({ id: removed.memberId });
  const { secret } = await world
    .as('outsider')
    .apiKey.create({ organizationId: foreign.organizationId, name: 'B', scope: 'write' });
  const tokens: Fixture['tokens'] = { removed: removedToken, foreignKey: secret };
  for (const kind of callers) tokens[kind] = await tokenOfCaller(world, kind);
  return tokens;
}

/** As the caller's client sends it: only the world knows every kind of credential. */
async function tokenOfCaller(world: World, kind: CallerKind): Promise<string> {
  const { fetch } = globalThis;
  let sent = '';
  globalThis.fetch = async (input, init) => {
    sent = new Headers(init?.headers).get('authorization') ?? '';
    return fetch(input, init);
  };
  try {
    await world.as(kind).chatbot.getPublic({ idOrHandle: world.handle });
  } finally {
    globalThis.fetch = fetch;
  }
  return sent.replace('Bearer ', '');
}

/** Instructions are visible only inside their organization; so are these IDs, which nobody outside ever sees. */
export function privateOf(things: Things): string[] {
  const {
    organizationId: _1,
    agentId: _2,
    handle: _3,
    userId: _4,
    productId: _5,
    sourceId: _6,
    storefrontId: _7,
    ...rest
  } = things;
  return Object.values(rest).filter(
    (id): id is string => typeof id === 'string' && /^[a-z]{3}_\w{26}$/.test(id),
  );
}

export const foreignInstructions = `${INSTRUCTIONS_CANARY}-B`;

/** The hash of each row of one organization, by table. */
export type Rows = Map<string, Set<string>>;

export async function rowsOf(
  { app }: Product,
  organizationId: string,
  isLeftOut: (table: string) => boolean,
): Promise<Rows> {
  const { owner } = app.deps.db;
  const { rows: tables } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns join pg_class on relname = table_name
      where table_schema = 'public' and column_name = 'organization_id' and relkind = 'r'
        and relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: Rows = new Map();
  for (const { name } of [...tables, { name: 'organization' }].filter((table) => !isLeftOut(table.name))) {
    const { rows } = await owner.query<{ hash: string }>(
      `select md5(row::text) as hash from "${name}" row where ${keyOf(name)} = $1`,
      [organizationId],
    );
    found.set(name, new Set(rows.map(({ hash }) => hash)));
  }
  return found;
}

const keyOf = (table: string): string => (table === 'organization' ? 'id' : 'organization_id');

/** The added rows, and the number of removed ones, in words. */
export async function differenceOf(
  { app }: Product,
  organizationId: string,
  { before, after }: { before: Rows; after: Rows },
): Promise<string[]> {
  const found: string[] = [];
  for (const [table, hashes] of after) {
    const known = before.get(table) ?? new Set();
    const gone = known.difference(hashes).size;
    const made = [...hashes.difference(known)];
    if (gone > 0) found.push(`${table}: ${gone} rows are not as they were`);
    if (made.length === 0) continue;
    const { rows } = await app.deps.db.owner.query<{ row: string }>(
      `select left(row::text, 500) as row from "${table}" row where ${keyOf(table)} = $1 and md5(row::text) = any($2)`,
      [organizationId, made],
    );
    found.push(...rows.map(({ row }) => `${table}: ${row}`));
  }
  return found;
}
