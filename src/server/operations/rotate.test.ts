import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type World } from '../../../test/access/world.ts';
import { startParley } from '../../../test/command-line.ts';
import { startProduct, type Product } from '../../../test/product.ts';
import { accountOwner } from '../identity/sealed-owners.ts';
import { vaultOf } from '../identity/secrets.ts';
import { countSealed, sealAnew, sealedColumns } from './rotate.ts';

const before = 'the secret of before, 32 letters and more';
const after = 'the secret of afterwards, 32 letters and more';
let product: Product;
let world: World;
let client: pg.Client;

beforeAll(async () => {
  product = await startProduct({ secretKey: before });
  world = await createWorld(product);
  client = new pg.Client({ connectionString: product.databaseUrl });
  await client.connect();
  await sealSomethingEverywhere();
});
afterAll(async () => {
  await client.end();
  await product.close();
});

/** A tool with personal accounts needs a service; its row is created here the way `sealed-tokens.ts` does it. */
async function sealSomethingEverywhere(): Promise<void> {
  const { agentId: id, organizationId, toolId } = world;
  const owner = world.as('owner');
  await owner.tool.update({ id: toolId, authentication: { type: 'bearer' }, secret: 'a tool secret' });
  await owner.model.setProvider({ organizationId, provider: 'openai', apiKey: 'sk-a-model', models: ['m'] });
  await owner.visitor.rotateEmbedSecret({ id });
  await owner.webhook.secret({ id: world.webhookId });
  const { idToken } = await product.sessionOf('owner');
  const made = await fetch(`${product.url}/v1/chat`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${idToken}`,
      'content-type': 'application/json',
      'idempotency-key': 'one',
    },
    body: JSON.stringify({ chatbotId: id }),
  });
  expect(made.status).toBe(200);
  const { rows } = await client.query<{ server_url: string | null }>(
    'select server_url from tool where id = $1',
    [toolId],
  );
  const service = {
    serverUrl: rows[0]?.server_url ?? null,
    tokenUrl: 'https://service/token',
    clientId: 'us',
  };
  await client.query(`update tool set authentication = authentication || $2 where id = $1`, [
    toolId,
    { tokenUrl: service.tokenUrl, clientId: service.clientId },
  ]);
  await client.query(
    `insert into tool_account (id, organization_id, tool_id, user_id, tokens) values ('one', $1, $2, $3, $4)`,
    [
      organizationId,
      toolId,
      world.userIdOf.owner,
      vaultOf(before).encrypt('{}', accountOwner('one', service)),
    ],
  );
}

/** Whether each table's rows are sealed under this secret. */
async function sealedUnder(secret: string): Promise<Record<string, boolean>> {
  const vault = vaultOf(secret);
  const found: Record<string, boolean> = {};
  for (const { table, select, owner } of sealedColumns) {
    const { rows } = await client.query(select);
    expect([table, rows.length > 0]).toEqual([table, true]);
    found[table] = rows.every((row) => vault.sealedUnder(row.sealed, owner(row)) === 'current');
  }
  return found;
}

const all = (is: boolean) => Object.fromEntries(sealedColumns.map(({ table }) => [table, is]));

test('every use of the vault’s encryption is on the list for re-encryption', async () => {
  const sealing: string[] = [];
  for await (const file of glob('src/server/**/*.ts')) {
    if (/\.test\.ts$|identity\/secrets\.ts$/.test(file)) continue;
    const text = await readFile(file, 'utf8');
    if (/\bvault\??\.encrypt\b|\{[^}]*\bencrypt\b[^}]*\} = (?:deps\.)?vault/.test(text))
      sealing.push(path.relative('src/server', file));
  }
  const listed = new Set(sealedColumns.flatMap(({ sealedBy }) => sealedBy));
  expect(sealing.filter((file) => file !== 'operations/rotate.ts').toSorted()).toEqual(
    [...listed].toSorted(),
  );
});

test('with both secrets everything is readable, and earlier proofs are valid', async () => {
  const vault = vaultOf(after, before);
  expect(vault.decrypt(vaultOf(before).encrypt('text', 'row'), 'row')).toBe('text');
  expect(() => vault.decrypt(vaultOf(before).encrypt('text', 'row'), 'another')).toThrow();
  expect(vault.proves('id', 'links', vaultOf(before).prove('id', 'links'))).toBe(true);
  expect(vault.proves('id', 'links', vaultOf('a third one').prove('id', 'links'))).toBe(false);
  expect(vault.proves('id', 'others', vaultOf(before).prove('id', 'links'))).toBe(false);
});

test('an interrupted rotation starts again; the command completes, and doctor says how much is left', async () => {
  expect(await sealedUnder(before)).toEqual(all(true));
  const vault = vaultOf(after, before);
  const { previous } = await countSealed(product.databaseUrl, vault);
  expect(previous).toBeGreaterThanOrEqual(sealedColumns.length);
  // A run killed midway.
  let sealings = 0;
  const dying: typeof vault = {
    ...vault,
    encrypt: (...args) => {
      sealings += 1;
      if (sealings > 2) throw new Error('killed');
      return vault.encrypt(...args);
    },
  };
  await expect(sealAnew(product.databaseUrl, dying)).rejects.toThrow('killed');
  expect((await countSealed(product.databaseUrl, vault)).previous).toBe(previous - 2);

  const { dataDir } = product.app.deps.config;
  const env = {
    DATABASE_URL: product.databaseUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: after,
    SECRET_KEY_PREVIOUS: before,
  };
  const run = (command: string) => startParley([command], { folder: dataDir, env }).done;
  expect((await run('doctor')).stdout).toContain(`${previous - 2} stored secrets are sealed under`);
  const rotated = await run('rotate-secret');
  expect(rotated).toMatchObject({ exitCode: 0, stderr: '' });
  expect(rotated.stdout).toContain(`${previous - 2} stored secrets were re-encrypted`);
  expect(await sealedUnder(after)).toEqual(all(true));
  expect(await sealedUnder(before)).toEqual(all(false));
  expect((await run('doctor')).stdout).toContain(
    'No stored secret is encrypted with SECRET_KEY_PREVIOUS any more',
  );
  expect((await run('rotate-secret')).stdout).toContain('0 stored secrets were re-encrypted');
  expect(
    (await startParley(['rotate-secret'], { folder: dataDir, env: { ...env, SECRET_KEY_PREVIOUS: '' } }).done)
      .exitCode,
  ).toBe(1);
});
