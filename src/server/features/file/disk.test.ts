import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { textOf, tusOf } from '../../../../test/tus.ts';

/** An 8 MB disk, which only root can mount, shared by two processes. */

const run = promisify(execFile);
let disk: string;
let one: Product;
let two: Product;
let organizationId: string;

beforeAll(async () => {
  disk = await makeTemporaryFolder('disk');
  await run('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
  const secretKey = 'the secret of both, long enough for it';
  one = await startProduct({ storageUrl: disk, secretKey });
  two = await startProduct({ storageUrl: disk, secretKey, databaseUrl: one.databaseUrl });
  organizationId = (await one.as('ada').organization.create({ name: 'Ada and company' })).organization.id;
});
afterAll(async () => {
  await two.close();
  await one.close();
  await run('umount', [disk]);
  await rm(disk, { recursive: true });
});

/** The same person at the other process. */
function atTwo(): ReturnType<typeof tusOf> {
  return tusOf({ ...two, sessionOf: one.sessionOf }, 'ada');
}

test('when the disk is full, uploads get a 503, earlier files stay intact, and freed space is used again', async () => {
  const { storage } = one.app.deps;
  const send = (size: number) =>
    one.as('ada').file.upload({ organizationId, media: new File([textOf(size)], 'a.txt') });
  const { file } = await send(2_000_000);
  const full = { status: 503, code: 'server/unavailable' };
  await expect(send(9_000_000)).rejects.toMatchObject(full);
  const tus = tusOf(one, 'ada');
  const id = await tus.begin(organizationId, 9_000_000);
  expect((await tus.patch(id, 0, textOf(9_000_000))).status).toBe(503);
  expect(await tus.offset(id)).toBeGreaterThanOrEqual(4 * 1024 * 1024);
  expect((await fetch(`${one.url}/healthz`)).status).toBe(200);
  expect((await storage.get(file.id)).equals(textOf(2_000_000))).toBe(true);
  expect((await tus.send({ method: 'DELETE', path: id })).status).toBe(204);
  await expect
    .poll(() =>
      send(3_000_000).then(
        () => 'stored',
        () => 'full',
      ),
    )
    .toBe('stored');
});

test('while the disk is read-only, uploads get a 503 and earlier files can be read', async () => {
  const send = () => one.as('ada').file.upload({ organizationId, media: new File([textOf(1000)], 'a.txt') });
  const { file } = await send();
  const tus = tusOf(one, 'ada');
  const id = await tus.begin(organizationId, 1000);
  await run('mount', ['-o', 'remount,ro', disk]);
  try {
    await expect(send()).rejects.toMatchObject({ status: 503, code: 'server/unavailable' });
    expect((await tus.patch(id, 0, textOf(1000))).status).toBe(503);
    expect((await one.app.deps.storage.get(file.id)).equals(textOf(1000))).toBe(true);
  } finally {
    await run('mount', ['-o', 'remount,rw', disk]);
  }
  expect((await tus.patch(id, 0, textOf(1000))).status).toBe(204);
});

test('an upload continues on another process, and two concurrent writers do not mix', async () => {
  const here = tusOf(one, 'ada');
  const there = atTwo();
  const data = textOf(600_000);
  const id = await here.begin(organizationId, data.length);
  expect((await here.patch(id, 0, data.subarray(0, 200_000))).status).toBe(204);
  expect(await there.offset(id)).toBe(200_000);
  const rest = data.subarray(200_000);
  const answers = await Promise.all([here, there, here, there].map((tus) => tus.patch(id, 200_000, rest)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 204)).toHaveLength(1);
  expect(statuses.every((status) => [204, 409, 423].includes(status))).toBe(true);
  // The holder releases the upload for others at its current offset.
  const stored = await here.offset(id);
  if (stored < data.length) expect((await there.patch(id, stored, data.subarray(stored))).status).toBe(204);
  expect((await one.app.deps.storage.drafts.read(id, data.length)).equals(data)).toBe(true);
});

test('a request hanging on one process releases the upload when its client returns on another', async () => {
  const there = atTwo();
  const here = tusOf(one, 'ada');
  const id = await here.begin(organizationId, 10);
  const hanging = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('hello')),
  });
  const stuck = here.patch(id, 0, hanging).then(
    ({ status }) => status,
    () => 0,
  );
  const writers = `select from pg_locks where locktype = 'advisory' and classid = 7210005 and granted`;
  await expect.poll(() => one.app.deps.db.owner.query(writers)).toMatchObject({ rowCount: 1 });
  // It has started to read, and what it has read was sent.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await there.offset(id)).toBe(5);
  expect((await there.patch(id, 5, 'world')).status).toBe(204);
  expect([0, 204, 423]).toContain(await stuck);
  expect((await two.app.deps.storage.drafts.read(id, 10)).toString()).toBe('helloworld');
});
