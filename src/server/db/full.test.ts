import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerInBrowser } from '../../../test/browser-client.ts';
import type { TestClient } from '../../../test/client.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';
import { createApp, type App } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';

/** The product with its own database on a small disk, which only root can create; elsewhere this can't be tested. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const DISK_MEGABYTES = 160;
const FULL_MS = 6000;
/** A database that died of a full disk first recovers everything it hadn't written yet. */
const RECOVERY_MS = 60_000;

let folder: string;
let disk: string;
let isThere = false;
let app: App;
let url: string;

beforeAll(async () => {
  folder = await makeTemporaryFolder('full-database');
  disk = path.join(folder, 'disk');
  await mkdir(disk);
  const size = `size=${DISK_MEGABYTES}m,mode=0755`;
  isThere = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'parley-test', disk]).status === 0;
  if (!isThere) return;
  await chmod(disk, 0o755);
  const config = {
    ...readConfig({ PORT: '0', DATA_DIR: disk, BILLING_MODE: 'off' }),
    logLevel: (process.env['LOG_LEVEL'] as 'silent') ?? 'silent',
    seedDemo: false,
  };
  app = await createApp(config, createLog(config));
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  if (isThere) {
    await app.close();
    spawnSync('umount', [disk]);
  }
  await rm(folder, { recursive: true, force: true });
});

const filler = () => path.join(disk, 'filler');
/** To the last byte, including whatever the database frees meanwhile. */
async function fill(): Promise<void> {
  const piece = Buffer.alloc(2 ** 16);
  const isWritten = () =>
    writeFile(filler(), piece, { flag: 'a' }).then(
      () => true,
      () => false,
    );
  while (await isWritten());
}

/** Sends a long incompressible message; if acknowledged, it is added to `said`. Returns the status otherwise. */
async function say(client: TestClient, id: string, text: string, said: string[]): Promise<number> {
  try {
    await client.chat.send({ id, text: `${text} and so on ${randomBytes(3000).toString('hex')}` });
    said.push(text);
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

async function textsOf(client: TestClient, id: string): Promise<string[]> {
  const texts: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.chat.listMessages({ id, count: 100, ...(cursor && { cursor }) });
    texts.push(...page.messages.filter(({ role }) => role === 'user').map(({ text }) => text));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return texts.map((text) => text.split(' and so on')[0] ?? '');
}

const cases: [what: string, also: () => Promise<void>][] = [
  ['the disk is full', async () => {}],
  [
    // It dies of this, and can't restart while the disk is full.
    'the disk is full and the database has no room for its log either',
    async () => {
      for (let round = 0; round < 40; round += 1) {
        await app.deps.db.owner.query('select pg_switch_wal()').catch(() => undefined);
        await app.deps.db.owner
          .query(`select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`)
          .catch(() => undefined);
      }
    },
  ],
];

test.for(cases)(
  'while %s writes get 503, no acknowledged write is lost, and service resumes by itself',
  { timeout: 180_000 },
  async ([, also], context) => {
    if (!isThere) return context.skip('Only root can make a small disk.');
    const { client } = await registerInBrowser(url, 'ada');
    const { organization } = await client.organization.create({ name: 'Acme' });
    const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Helper' });
    const { id } = (await client.chat.create({ chatbotId: chatbot.id })).conversation;
    const said: string[] = [];
    expect(await say(client, id, 'before', said)).toBe(200);

    const statuses = new Set<number>();
    await fill();
    await also();
    const until = performance.now() + FULL_MS;
    for (let number = 0; performance.now() < until || !statuses.has(503); number += 1) {
      statuses.add(await say(client, id, `number ${number}`, said));
      if (number % 20 === 0) await fill();
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
    }
    // An answer may be in progress when a message is sent, which is a 409.
    expect([...statuses].filter((status) => ![200, 409, 503, 507].includes(status))).toEqual([]);

    await rm(filler());
    let tries = 0;
    await expect
      .poll(() => say(client, id, `after ${(tries += 1)}`, said), { timeout: RECOVERY_MS, interval: 500 })
      .toBe(200);
    const texts = await textsOf(client, id);
    for (const text of said)
      expect([text, texts.filter((other) => other === text).length]).toEqual([text, 1]);
  },
);
