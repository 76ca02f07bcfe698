import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { makeTemporaryFolder } from '../../../test/temporary-folder.ts';

/** A disk with room for two megabytes, which only root can create; otherwise there is nothing to test on. */
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const MEGABYTE = 2 ** 20;

let folder: string;
let disk: string;
let isThere = false;
let product: Product;

beforeAll(async () => {
  folder = await makeTemporaryFolder('full');
  disk = path.join(folder, 'disk');
  await mkdir(disk);
  isThere = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'parley-test', disk]).status === 0;
  product = await startProduct({ storageUrl: path.join(disk, 'files') });
});
afterAll(async () => {
  await product.close();
  if (isThere) spawnSync('umount', [disk]);
  await rm(folder, { recursive: true, force: true });
});

const text = (name: string, size: number) =>
  new File([`${name} `.repeat(Math.ceil(size / (name.length + 1)))], `${name}.txt`, { type: 'text/plain' });

test('on a full disk files are refused with 503, no row refers to a partial file, and earlier files are intact', async (context) => {
  if (!isThere) return context.skip();
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const { id } = (await ada.chat.create({ chatbotId: chatbot.id })).conversation;
  const { storage, db } = product.app.deps;
  const keys = async () =>
    (await db.owner.query<{ storage_key: string }>('select storage_key from attachment order by id')).rows;
  await ada.attachment.add({ id, media: text('earlier', MEGABYTE / 2) });
  const [before] = await keys();
  const bytes = await storage.get(before?.storage_key ?? '');

  for (let tries = 0; tries < 25; tries += 1)
    await expect(ada.attachment.add({ id, media: text('large', 2 * MEGABYTE) })).rejects.toMatchObject({
      status: 503,
    });
  expect(await keys()).toEqual([before]);
  expect(await readdir(path.join(disk, 'files', 'unfinished'))).toEqual([]);
  expect(await storage.get(before?.storage_key ?? '')).toEqual(bytes);
  // An upload that doesn't fit keeps what was acknowledged and no more: others need the space.
  const upload = 'too-large-an-upload';
  await storage.drafts.append(upload, 0, Buffer.from('acknowledged'));
  await expect(storage.drafts.append(upload, 12, Buffer.alloc(3 * MEGABYTE))).rejects.toThrow('no space');
  expect(await stat(path.join(disk, 'files', 'drafts', upload))).toMatchObject({ size: 12 });
  await storage.drafts.remove(upload);
  // Only what needs the disk is refused.
  await ada.chat.send({ id, text: 'Are you there?' });

  // Full to the last byte: not even a small file fits.
  const filler = path.join(disk, 'filler');
  await writeFile(filler, Buffer.alloc(2 * MEGABYTE)).catch(() => undefined);
  await expect(ada.attachment.add({ id, media: text('small', 20_000) })).rejects.toMatchObject({
    status: 503,
  });
  await rm(filler);
  await ada.attachment.add({ id, media: text('small', 20_000) });
  const after = await keys();
  expect(after).toHaveLength(2);
  for (const { storage_key } of after) expect((await storage.get(storage_key)).length).toBeGreaterThan(0);
});
