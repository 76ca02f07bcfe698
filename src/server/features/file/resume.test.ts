import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Upload } from 'tus-js-client';
import { createClient } from '../../../contract/client.ts';
import { contract } from '../../../contract/index.ts';
import { registerInBrowser } from '../../../../test/browser-client.ts';
import { createTestDatabase } from '../../../../test/database.ts';
import { Server } from '../../../../test/e2e/server.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startS3, type LocalS3 } from '../../../../test/stand-ins/s3.ts';
import { metadata, textOf, tusOf } from '../../../../test/tus.ts';
import { findFiles } from './store.ts';

/** Uploads interrupted in every way, using the browsers' own client. */

let s3: LocalS3;
let onDisk: Product;
let onS3: Product;
beforeAll(async () => {
  s3 = await startS3();
  onDisk = await startProduct();
  onS3 = await startProduct({ storageUrl: s3.url });
});
afterAll(async () => {
  await onDisk.close();
  await onS3.close();
  await s3.close();
});

const products: [string, () => Product][] = [
  ['the disk', () => onDisk],
  ['S3', () => onS3],
];

/** Until `pauseAt` bytes have arrived, or to the end. */
async function send(product: Product, data: Buffer, uploadUrl: string | null, pauseAt = Infinity) {
  const organizationId = await organizationOf(product);
  const { idToken } = await product.sessionOf('ada');
  const starts: number[] = [];
  return new Promise<{ url: string; starts: number[] }>((resolve, reject) => {
    const upload = new Upload(data, {
      endpoint: `${product.url}/v1/file/upload`,
      uploadUrl,
      chunkSize: 3_000_000,
      metadata: { organizationId, filename: 'large.txt' },
      headers: { authorization: `Bearer ${idToken}` },
      onBeforeRequest: (request) => {
        if (request.getMethod() === 'PATCH') starts.push(Number(request.getHeader('Upload-Offset')));
      },
      onChunkComplete: (_size, accepted) => {
        if (accepted >= pauseAt) void upload.abort().then(() => resolve({ url: upload.url ?? '', starts }));
      },
      onSuccess: () => resolve({ url: upload.url ?? '', starts }),
      onError: reject,
    });
    upload.start();
  });
}

const organizations = new Map<Product, string>();
async function organizationOf(product: Product): Promise<string> {
  const known = organizations.get(product);
  if (known !== undefined) return known;
  const { organization } = await product.as('ada').organization.create({ name: 'Ada and company' });
  organizations.set(product, organization.id);
  return organization.id;
}

test.each(products)(
  '20 MB to %s, paused, then resumed by another client from the stored byte',
  async (_where, of) => {
    const product = of();
    const data = textOf(20_000_000);
    const paused = await send(product, data, null, 10_000_000);
    const resumed = await send(product, data, paused.url);
    expect(resumed.url).toBe(paused.url);
    expect(resumed.starts[0]).toBeGreaterThanOrEqual(12_000_000);
    const uploadId = paused.url.split('/').at(-1) ?? '';
    const { file } = await product.as('ada').file.finish({ uploadId });
    const organizationId = await organizationOf(product);
    const { db, storage } = product.app.deps;
    const [row] = await db.in({ organizationId }, (tx) => findFiles(tx, organizationId, [file.id]));
    expect(row).toMatchObject({
      sizeBytes: data.length,
      sha256: createHash('sha256').update(data).digest('hex'),
    });
    expect((await storage.get(file.id)).equals(data)).toBe(true);
  },
);

test('a temporarily unavailable store only delays an upload', async () => {
  const tus = tusOf(onS3, 'ada');
  const id = await tus.begin(await organizationOf(onS3), 300_000);
  s3.state = 'broken';
  setTimeout(() => (s3.state = 'well'), 800);
  expect((await tus.patch(id, 0, textOf(300_000))).status).toBe(204);
  const { file } = await onS3.as('ada').file.finish({ uploadId: id });
  await expect.poll(() => s3.objects()).toContain(`parley/${file.id}`);
  await expect.poll(async () => (await s3.objects()).filter((key) => key.includes(id))).toEqual([]);
});

test('what a killed server had stored is there after its restart, and the upload continues', async () => {
  const database = await createTestDatabase();
  const server = await Server.start({ DATABASE_URL: database.url });
  try {
    const token = (await registerInBrowser(server.url, 'ada')).token() ?? '';
    const api = createClient(contract, { baseUrl: server.url, token: () => token });
    const organizationId = (await api.organization.create({ name: 'Ada and company' })).organization.id;
    const data = textOf(20_000_000);
    const ask = (method: string, path = '', headers = {}, body?: BodyInit) =>
      fetch(`${server.url}/v1/file/upload${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
        ...(body === undefined ? {} : { body, duplex: 'half' }),
      });
    const made = await ask('POST', '', {
      'upload-length': String(data.length),
      'upload-metadata': metadata({ organizationId, filename: 'a.txt' }),
    });
    const path = (made.headers.get('location') ?? '').replace('/v1/file/upload', '');
    const type = { 'content-type': 'application/offset+octet-stream' };
    // Half of it arrives, and then nothing more until the server is killed.
    const half = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(data.subarray(0, 10_000_000)),
    });
    const cut = ask('PATCH', path, { ...type, 'upload-offset': '0' }, half).catch(() => 'cut');
    const draft = `${server.dataDir}/files/drafts${path}`;
    await expect
      .poll(
        () =>
          stat(draft).then(
            ({ size }) => size,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBeGreaterThanOrEqual(8_000_000);
    // Stored bytes are counted a moment later.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await server.kill('SIGKILL');
    expect(await cut).toBe('cut');
    await server.startAgain();
    const stored = Number((await ask('HEAD', path)).headers.get('upload-offset'));
    expect(stored).toBeGreaterThanOrEqual(8_000_000);
    const rest = await ask(
      'PATCH',
      path,
      { ...type, 'upload-offset': String(stored) },
      data.subarray(stored),
    );
    expect(rest.status).toBe(204);
    const { file } = await api.file.finish({ uploadId: path.slice(1) });
    expect(file.sizeBytes).toBe(data.length);
  } finally {
    await server.remove();
    await database.drop();
  }
});
