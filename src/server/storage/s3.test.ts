import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../test/e2e/server.ts';
import { startS3, type LocalS3 } from '../../../test/stand-ins/s3.ts';
import { storageAddress, type S3Address } from './address.ts';
import { openS3Storage } from './s3.ts';

const key = 'fil_01k7z3v9w2e8xr4mbc5d6f7g8h';
const patience = { operationMs: 1500, uploadMs: 3000 };

let s3: LocalS3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());
beforeEach(() => {
  s3.state = 'well';
});

const addressOf = (url: string): S3Address => {
  const address = storageAddress(url, '/data');
  if (address.kind !== 's3') throw new Error('This is no address of S3.');
  return address;
};
const open = () => openS3Storage(addressOf(s3.url), patience);

async function timeOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work.catch(() => undefined);
  return performance.now() - start;
}

test('objects are stored under the prefix, and the pieces of drafts separately', async () => {
  const storage = open();
  await storage.put(key, Buffer.from('x'));
  await storage.drafts.append(key, 0, Buffer.from('x'));
  expect(await s3.objects()).toEqual([`parley/drafts/${key}/000000000000`, `parley/${key}`]);
});

test.each(['broken', 'busy'] as const)(
  'a store that is temporarily %s only causes a delay',
  async (fault) => {
    const storage = open();
    await storage.put(key, Buffer.from('here'));
    s3.state = fault;
    setTimeout(() => (s3.state = 'well'), 600);
    expect((await storage.get(key)).toString()).toBe('here');
    s3.state = fault;
    setTimeout(() => (s3.state = 'well'), 600);
    await storage.put(key, Buffer.from('there'));
    expect((await storage.get(key)).toString()).toBe('there');
  },
);

test('a store that stays away is a 503 after the timeout, which is longer for uploads', async () => {
  const storage = openS3Storage(
    { ...addressOf(s3.url), endpoint: `http://127.0.0.1:${await freePort()}` },
    patience,
  );
  await expect(storage.get(key)).rejects.toMatchObject({ status: 503, code: 'server/unavailable' });
  const reading = await timeOf(storage.remove(key));
  const writing = await timeOf(storage.put(key, Buffer.from('x')));
  expect(reading).toBeGreaterThan(patience.operationMs / 2);
  expect(reading).toBeLessThan(patience.uploadMs);
  expect(writing).toBeGreaterThan(patience.uploadMs / 2);
  expect(writing).toBeLessThan(patience.uploadMs + 2000);
});

test('a store that accepts connections and stays silent counts as away', async () => {
  const storage = openS3Storage(addressOf(s3.url), { operationMs: 6000, uploadMs: 3000 });
  await storage.put(key, Buffer.from('here'));
  s3.state = 'silent';
  await expect(storage.put(key, Buffer.from('x'))).rejects.toMatchObject({ code: 'server/unavailable' });
  setTimeout(() => (s3.state = 'well'), 1000);
  expect((await storage.get(key)).toString()).toBe('here');
});

test('a request is repeated with the store’s time if the clocks differ', async () => {
  const storage = open();
  s3.state = 'ahead';
  await expect(storage.put(key, Buffer.from('x'))).resolves.toBeUndefined();
});

test('an error that waiting cannot fix is not retried', async () => {
  const before = s3.requests;
  const wrong = { accessKeyId: 'NOBODY', secretAccessKey: 'S3RVER' };
  const storage = openS3Storage({ ...addressOf(s3.url), credentials: wrong }, patience);
  await expect(storage.get(key)).rejects.toMatchObject({
    code: 'server/unavailable',
    cause: { cause: { name: 'InvalidAccessKeyId' } },
  });
  expect(s3.requests).toBe(before + 1);
});

test('a missing bucket is named in the error', async () => {
  const storage = openS3Storage({ ...addressOf(s3.url), bucket: 'nowhere' }, patience);
  await expect(storage.get(key)).rejects.toMatchObject({ code: 'storage/no-default-bucket', status: 500 });
  await expect(storage.put(key, Buffer.from('x'))).rejects.toMatchObject({
    code: 'storage/no-default-bucket',
  });
});
