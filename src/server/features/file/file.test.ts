import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../id.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { findFiles } from './store.ts';

let product: Product;
let organizationId: string;
let elsewhere: string;

beforeAll(async () => {
  product = await startProduct();
  organizationId = await organizationOf('ada');
  elsewhere = await organizationOf('bob');
});
afterAll(() => product.close());

async function organizationOf(person: string): Promise<string> {
  const { organization } = await product.as(person).organization.create({ name: `${person} and company` });
  return organization.id;
}

async function join(person: string, role: string): Promise<void> {
  const { user } = await product.sessionOf(person);
  await product.app.deps.db.owner.query(
    'insert into member (id, organization_id, user_id, role) values ($1, $2, $3, $4)',
    [newId('member'), organizationId, user.uid, role],
  );
}

const upload = (
  person: string,
  content: string | Uint8Array<ArrayBuffer>,
  name = 'notes.txt',
  type = 'text/plain',
) => product.as(person).file.upload({ organizationId, media: new File([content], name, { type }) });

async function storedFiles(): Promise<string[]> {
  const folder = path.join(product.app.deps.config.dataDir, 'files');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
}

test('an uploaded PDF is stored byte for byte, with the type of its content', async () => {
  const pdf = new Uint8Array(
    await readFile(path.join(import.meta.dirname, '../../../../test/fixtures/libtasn1.pdf')),
  );
  const { file } = await upload('ada', pdf, '../Grüße 😀.txt', 'text/html');
  expect(file).toEqual({
    id: expect.stringMatching(/^fil_/),
    name: 'Grüße 😀.txt',
    mediaType: 'application/pdf',
    sizeBytes: pdf.length,
  });
  const { db, storage } = product.app.deps;
  const [row] = await db.in({ organizationId }, (tx) => findFiles(tx, organizationId, [file.id]));
  const { user } = await product.sessionOf('ada');
  expect(row).toMatchObject({
    ...file,
    organizationId,
    createdBy: user.uid,
    sha256: createHash('sha256').update(pdf).digest('hex'),
  });
  expect(await storage.get(row?.storageKey ?? '')).toEqual(Buffer.from(pdf));
});

test('editors can upload; viewers, strangers and guests cannot, and nothing of theirs is stored', async () => {
  await join('eva', 'editor');
  await join('vic', 'viewer');
  expect((await upload('eva', 'hello')).file.mediaType).toBe('text/plain');
  const before = await storedFiles();
  await expect(upload('vic', 'hello')).rejects.toMatchObject({ status: 403, code: 'auth/forbidden' });
  await expect(upload('bob', 'hello')).rejects.toMatchObject({ status: 404, code: 'resource/not-found' });
  await expect(
    product.as('guest', 'guest').file.upload({ organizationId, media: new File(['x'], 'a.txt') }),
  ).rejects.toMatchObject({ status: 403 });
  await expect(
    product.as('x', 'anonymous').file.upload({ organizationId, media: new File(['x'], 'a.txt') }),
  ).rejects.toMatchObject({ status: 401 });
  expect(await storedFiles()).toEqual(before);
});

test('an empty file and an unreadable one are refused, and nothing of them is stored', async () => {
  const before = await storedFiles();
  await expect(upload('ada', '')).rejects.toMatchObject({
    status: 400,
    code: 'request/invalid',
    errors: [{ path: 'media', message: 'The file is empty.' }],
  });
  await expect(
    upload('ada', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]), 'a.pdf', 'application/pdf'),
  ).rejects.toMatchObject({ status: 400, code: 'storage/file-type' });
  expect(await storedFiles()).toEqual(before);
});

test('when the row cannot be written, the bytes are removed again', async () => {
  const before = await storedFiles();
  const { owner } = product.app.deps.db;
  await owner.query(`alter table file add constraint refuse_all check (name <> 'refused.txt')`);
  await expect(upload('ada', 'hello', 'refused.txt')).rejects.toMatchObject({ status: 500 });
  await owner.query('alter table file drop constraint refuse_all');
  expect(await storedFiles()).toEqual(before);
});

test('a file can be found and deleted only in its own organization', async () => {
  const { file } = await upload('ada', 'hello');
  const { db } = product.app.deps;
  const from = (organization: string) => ({
    find: () => db.in({ organizationId: organization }, (tx) => findFiles(tx, organization, [file.id])),
    // Files are deleted with what was read from them, by a statement that doesn't name their organization: row-level
    // security hides the other rows anyway.
    remove: () =>
      db.in({ organizationId: organization }, async ({ $client }) => {
        const deletion = 'delete from file where id = $1 returning storage_key as key';
        const { rows } = await $client.query<{ key: string }>(deletion, [file.id]);
        return rows[0]?.key;
      }),
  });
  expect(await from(elsewhere).find()).toEqual([]);
  expect(await from(elsewhere).remove()).toBeUndefined();
  expect(await from(organizationId).find()).toHaveLength(1);
  expect(await from(organizationId).remove()).toBe(file.id);
  expect(await from(organizationId).find()).toEqual([]);
  expect(await db.in({ organizationId }, (tx) => findFiles(tx, organizationId, []))).toEqual([]);
});
