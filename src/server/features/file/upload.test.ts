import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  AGENT_FILE_MAX_BYTES,
  KNOWLEDGE_FILE_MAX_BYTES,
  UPLOADS_OPEN_MAX_BYTES,
} from '../../../contract/limits.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { metadata, textOf, tusOf } from '../../../../test/tus.ts';
import { newId } from '../../id.ts';
import { expireUploads } from './expire-uploads.ts';
import { findFiles } from './store.ts';

let product: Product;
let organizationId: string;
let ada: ReturnType<typeof tusOf>;
let bob: ReturnType<typeof tusOf>;

beforeAll(async () => {
  product = await startProduct();
  organizationId = await organizationOf('ada');
  await organizationOf('bob');
  ada = tusOf(product, 'ada');
  bob = tusOf(product, 'bob');
});
afterAll(() => product.close());

async function organizationOf(person: string): Promise<string> {
  const { organization } = await product.as(person).organization.create({ name: `${person} and company` });
  return organization.id;
}

const storageOf = () => product.app.deps.storage;
const problemOf = async (response: Response) => ({
  status: response.status,
  code: ((await response.json()) as { code: string }).code,
});
const finish = (uploadId: string, person = 'ada') => product.as(person).file.finish({ uploadId });

test('an upload in two pieces becomes a normal file, the same one each time it is finished', async () => {
  const data = textOf(600_000);
  const made = await ada.create(organizationId, data.length, '../Grüße 😀.md');
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toMatch(/^\/v1\/file\/upload\/upl_[0-9a-z]{26}$/);
  expect(Date.parse(made.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  const id = made.headers.get('location')?.split('/').at(-1) ?? '';
  const first = await ada.patch(id, 0, data.subarray(0, 262_144));
  expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '262144']);
  expect(await ada.offset(id)).toBe(262_144);
  await expect(finish(id)).rejects.toMatchObject({ status: 409, code: 'storage/upload-unfinished' });
  expect((await ada.patch(id, 262_144, data.subarray(262_144))).status).toBe(204);
  const answers = await Promise.all([finish(id), finish(id), finish(id)]);
  const [answer] = answers;
  expect(answers).toEqual([answer, answer, answer]);
  expect(answer?.file).toEqual({
    id: expect.stringMatching(/^fil_/),
    name: 'Grüße 😀.md',
    mediaType: 'text/markdown',
    sizeBytes: data.length,
  });
  const { db } = product.app.deps;
  const rows = await db.in({ organizationId }, (tx) =>
    findFiles(tx, organizationId, [answer?.file.id ?? '']),
  );
  expect(rows).toEqual([
    expect.objectContaining({ sha256: createHash('sha256').update(data).digest('hex') }),
  ]);
  expect((await storageOf().get(rows[0]?.storageKey ?? '')).equals(data)).toBe(true);
  // Its pieces aren't kept along with it.
  await vi.waitFor(() => expect(storageOf().drafts.read(id, 1)).rejects.toMatchObject({ status: 404 }));
});

test('an upload can be created with its bytes, and canceled with them', async () => {
  const made = await ada.create(organizationId, 5, 'a.txt', {
    'content-type': 'application/offset+octet-stream',
  });
  expect([made.status, made.headers.get('upload-offset')]).toEqual([201, '0']);
  const id = made.headers.get('location')?.split('/').at(-1) ?? '';
  await ada.patch(id, 0, 'hello');
  expect((await storageOf().drafts.read(id, 5)).toString()).toBe('hello');
  expect((await ada.send({ method: 'DELETE', path: id })).status).toBe(204);
  expect(await ada.offset(id)).toBe(-404);
  await vi.waitFor(() => expect(storageOf().drafts.read(id, 1)).rejects.toMatchObject({ status: 404 }));
  await expect(finish(id)).rejects.toMatchObject({ status: 404 });
});

test('an unreadable file is refused once complete, and nothing of it stays', async () => {
  const id = await ada.begin(organizationId, 300_000, 'picture.pdf');
  await ada.patch(id, 0, Buffer.alloc(300_000, 1));
  await expect(finish(id)).rejects.toMatchObject({ status: 400, code: 'storage/file-type' });
  await expect(finish(id)).rejects.toMatchObject({ status: 404 });
  await vi.waitFor(() => expect(storageOf().drafts.read(id, 1)).rejects.toMatchObject({ status: 404 }));
});

describe('invalid requests', () => {
  const meta = (fields: Record<string, string>) => metadata({ organizationId, filename: 'a.txt', ...fields });
  const cases: [string, () => Record<string, string>, number][] = [
    ['a length of 2^53', () => ({ 'upload-length': '9007199254740992' }), 400],
    ['a length of -1', () => ({ 'upload-length': '-1' }), 400],
    ['a length of NaN', () => ({ 'upload-length': 'NaN' }), 400],
    ['a length of 1e3', () => ({ 'upload-length': '1e3' }), 400],
    ['a length of nothing', () => ({ 'upload-length': '0' }), 400],
    ['one byte too many', () => ({ 'upload-length': String(KNOWLEDGE_FILE_MAX_BYTES + 1) }), 413],
    ['no length', () => ({ 'upload-length': '' }), 400],
    ['a length to be told later', () => ({ 'upload-length': '', 'upload-defer-length': '1' }), 400],
    [
      'a name with a line break',
      () => ({ 'upload-metadata': meta({ filename: 'a\r\nSet-Cookie: x' }) }),
      400,
    ],
    ['a name with NUL', () => ({ 'upload-metadata': meta({ filename: 'a\u0000.txt' }) }), 400],
    ['no name', () => ({ 'upload-metadata': metadata({ organizationId }) }), 400],
    ['no organization', () => ({ 'upload-metadata': metadata({ filename: 'a.txt' }) }), 400],
    ['metadata that is no base64', () => ({ 'upload-metadata': 'filename ***' }), 400],
    ['5 kB of metadata', () => ({ 'upload-metadata': meta({ filename: 'a'.repeat(4000) }) }), 400],
    ['a name twice', () => ({ 'upload-metadata': `${meta({})},filename YQ==` }), 400],
    ['another version', () => ({ 'tus-resumable': '0.2.2' }), 400],
    ['a part of an upload', () => ({ 'upload-concat': 'partial' }), 400],
    ['a JSON body', () => ({ 'content-type': 'application/json' }), 415],
  ];

  test.each(cases)('%s is refused, and no upload is created', async (_what, headers, status) => {
    const { owner } = product.app.deps.db;
    const count = async () => (await owner.query('select count(*)::int as n from upload')).rows[0].n;
    const before = await count();
    const { 'content-type': type, ...rest } = headers();
    const given = Object.fromEntries(
      Object.entries({ 'upload-length': '5', 'upload-metadata': meta({}), ...rest }).filter(
        ([, value]) => value,
      ),
    );
    const response = await ada.send({
      method: 'POST',
      headers: { ...given, ...(type ? { 'content-type': type } : {}) },
      ...(type ? { body: '{"media":{"path":"/etc/passwd"}}' } : {}),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(await count()).toBe(before);
  });

  test('1 MB of metadata is rejected outright', async () => {
    const before = performance.now();
    const response = await ada.create(organizationId, 5, 'a'.repeat(1_000_000)).catch(() => undefined);
    expect(response?.status ?? 431).toBe(431);
    expect(performance.now() - before).toBeLessThan(10_000);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  });

  test('a request without the protocol’s version header is refused', async () => {
    const { idToken } = await product.sessionOf('ada');
    const response = await fetch(`${product.url}/v1/file/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'upload-length': '5', 'upload-metadata': meta({}) },
    });
    expect(await problemOf(response)).toEqual({ status: 412, code: 'storage/tus-version' });
  });

  test('the capabilities are announced to everybody, without inviting other sites', async () => {
    const response = await fetch(`${product.url}/v1/file/upload`, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('tus-version')).toBe('1.0.0');
    expect(response.headers.get('tus-extension')).toContain('creation');
    expect(response.headers.get('tus-max-size')).toBe(String(AGENT_FILE_MAX_BYTES));
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('ids', () => {
  test.each([
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/',
    '..%5c..%5cboot.ini',
    '%00',
    'upl_%00',
    'upl_',
    'fil_01k7z3v9w2e8xr4mbc5d6f7g8h',
    'UPL_01k7z3v9w2e8xr4mbc5d6f7g8h',
    newId('upload'),
  ])('that are malformed or unknown (%s) are a 404', async (path) => {
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const response = await ada.send({
        method,
        path,
        headers: { 'upload-offset': '0' },
        ...(method === 'PATCH' ? { body: 'hello' } : {}),
      });
      expect([method, response.status]).toEqual([method, 404]);
    }
  });

  test('of 10 kB are rejected', async () => {
    const response = await ada.send({ method: 'HEAD', path: 'a'.repeat(10_000) });
    expect([404, 414]).toContain(response.status);
  });

  test('are created by the server, whatever the client sends', async () => {
    const response = await ada.create(organizationId, 5, 'a.txt', {
      'upload-id': '../../evil',
      'x-http-method-override': 'DELETE',
      'x-forwarded-host': 'evil.example',
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toMatch(/^\/v1\/file\/upload\/upl_[0-9a-z]{26}$/);
  });

  test('of another person are a 404 like unknown ones, inside the organization and outside', async () => {
    await joined('eve', 'admin');
    const id = await ada.begin(organizationId, 5);
    await ada.patch(id, 0, 'he');
    for (const other of ['bob', 'eve']) {
      const tus = tusOf(product, other);
      expect(await tus.offset(id)).toBe(-404);
      expect(await problemOf(await tus.patch(id, 2, 'llo'))).toEqual({
        status: 404,
        code: 'resource/not-found',
      });
      expect((await tus.send({ method: 'DELETE', path: id })).status).toBe(404);
      await expect(finish(id, other)).rejects.toMatchObject({ status: 404, code: 'resource/not-found' });
    }
    expect(await ada.offset(id)).toBe(2);
    expect((await bob.create(organizationId, 5)).status).toBe(404);
  });
});

async function joined(person: string, role: 'admin' | 'editor' | 'viewer') {
  const { user } = await product.sessionOf(person);
  const id = newId('member');
  await product.app.deps.db.owner.query(
    'insert into member (id, organization_id, user_id, role) values ($1, $2, $3, $4)',
    [id, organizationId, user.uid, role],
  );
  return { id, client: product.as(person) };
}

test('an upload works only while its creator may write: not signed out, as a viewer or after leaving', async () => {
  const anonymous = await fetch(`${product.url}/v1/file/upload`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '5',
      'upload-metadata': metadata({ organizationId, filename: 'a.txt' }),
    },
  });
  expect(await problemOf(anonymous)).toEqual({ status: 401, code: 'auth/unauthenticated' });
  await joined('vera', 'viewer');
  expect((await tusOf(product, 'vera').create(organizationId, 5)).status).toBe(403);
  const { id: memberId } = await joined('max', 'editor');
  const max = tusOf(product, 'max');
  const id = await max.begin(organizationId, 5);
  expect((await max.patch(id, 0, 'he')).status).toBe(204);
  const { owner } = product.app.deps.db;
  await owner.query(`update member set role = 'viewer' where id = $1`, [memberId]);
  expect((await max.patch(id, 2, 'l')).status).toBe(403);
  await owner.query('delete from member where id = $1', [memberId]);
  expect((await max.patch(id, 2, 'l')).status).toBe(404);
  expect(await max.offset(id)).toBe(-404);
  await expect(finish(id, 'max')).rejects.toMatchObject({ status: 404 });
});

test('a cookie alone allows no cross-site write', async () => {
  const { idToken } = await product.sessionOf('ada');
  const send = (site: string) =>
    fetch(`${product.url}/v1/file/upload`, {
      method: 'POST',
      headers: {
        cookie: `auth-token=${idToken}`,
        'sec-fetch-site': site,
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-metadata': metadata({ organizationId, filename: 'a.txt' }),
      },
    });
  expect(await problemOf(await send('cross-site'))).toEqual({ status: 403, code: 'auth/cross-site' });
  expect((await send('same-origin')).status).toBe(201);
});

test('a key uploads what it may write in its organization', async () => {
  const keyed = async (scope: 'read' | 'write') => {
    const { secret } = await product.as('ada').apiKey.create({ organizationId, name: scope, scope });
    return ada.create(organizationId, 5, 'a.txt', { authorization: `Bearer ${secret}` });
  };
  expect((await keyed('write')).status).toBe(201);
  expect((await keyed('read')).status).toBe(403);
});

describe('bytes', () => {
  test('at a wrong offset are a 409, beyond the length a 413, and neither changes anything', async () => {
    const id = await ada.begin(organizationId, 10);
    expect((await ada.patch(id, 0, 'hello')).status).toBe(204);
    expect(await problemOf(await ada.patch(id, 0, 'hello'))).toEqual({
      status: 409,
      code: 'storage/upload-offset',
    });
    expect((await ada.patch(id, 6, 'x')).status).toBe(409);
    expect((await ada.patch(id, 5, 'too many')).status).toBe(413);
    expect(await ada.offset(id)).toBe(5);
    expect((await ada.patch(id, 5, 'world')).status).toBe(204);
    expect((await storageOf().drafts.read(id, 10)).toString()).toBe('helloworld');
  });

  test('of a body without a length are cut off with a 413 when it runs over', async () => {
    const id = await ada.begin(organizationId, 10);
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1000)),
    });
    expect((await ada.patch(id, 0, endless).catch(() => ({ status: 413 }))).status).toBe(413);
    expect(await ada.offset(id)).toBe(0);
  });

  test('sent twice at once count once', async () => {
    const data = textOf(20_000_000);
    const id = await ada.begin(organizationId, data.length);
    const answers = await Promise.all(Array.from({ length: 4 }, () => ada.patch(id, 0, data)));
    const taken = answers.filter(({ status }) => status === 204);
    expect(taken).toHaveLength(1);
    expect(answers.every(({ status }) => [204, 409, 423].includes(status))).toBe(true);
    // The holder releases the upload for others at its current offset, and reports that offset.
    const stored = await ada.offset(id);
    expect(taken[0]?.headers.get('upload-offset')).toBe(String(stored));
    if (stored < data.length) expect((await ada.patch(id, stored, data.subarray(stored))).status).toBe(204);
    expect((await storageOf().drafts.read(id, data.length)).equals(data)).toBe(true);
  });

  test('that arrived before a disconnect are kept, and the upload resumes from there', async () => {
    const data = textOf(9_000_000);
    const id = await ada.begin(organizationId, data.length);
    await sendHalf(id, data, 5_000_000);
    const stored = await ada.offset(id);
    expect(stored).toBeGreaterThan(4_000_000);
    expect(stored).toBeLessThanOrEqual(5_000_000);
    expect((await ada.patch(id, stored, data.subarray(stored))).status).toBe(204);
    expect((await storageOf().drafts.read(id, data.length)).equals(data)).toBe(true);
  });

  /** Announces all of it, sends part, and disconnects. */
  async function sendHalf(id: string, data: Buffer, size: number): Promise<void> {
    const { idToken } = await product.sessionOf('ada');
    await new Promise<void>((resolve) => {
      const sending = httpRequest(`${product.url}/v1/file/upload/${id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${idToken}`,
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-type': 'application/offset+octet-stream',
          'content-length': data.length,
        },
      });
      sending.on('error', () => resolve());
      sending.write(data.subarray(0, size), () => setTimeout(() => sending.destroy(new Error('gone')), 300));
    });
  }
});

describe('the lifetime of an upload', () => {
  test('ends with a 410, and later with its bytes gone', async () => {
    const id = await ada.begin(organizationId, 10);
    const lasting = await ada.begin(organizationId, 10);
    await ada.patch(id, 0, 'hello');
    await ada.patch(lasting, 0, 'hello');
    const { owner } = product.app.deps.db;
    await owner.query(`update upload set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expect(await problemOf(await ada.patch(id, 5, 'world'))).toEqual({
      status: 410,
      code: 'storage/upload-expired',
    });
    expect(await ada.offset(id)).toBe(-410);
    await expect(finish(id)).rejects.toMatchObject({ status: 410, code: 'storage/upload-expired' });
    expect(await expireUploads(product.app.deps)).toBe(1);
    expect(await ada.offset(id)).toBe(-404);
    await vi.waitFor(() => expect(storageOf().drafts.read(id, 1)).rejects.toMatchObject({ status: 404 }));
    expect(await ada.offset(lasting)).toBe(5);
  });

  test('of one that became a file ends without deleting the file', async () => {
    const id = await ada.begin(organizationId, 5);
    await ada.patch(id, 0, 'hello');
    const { file } = await finish(id);
    await product.app.deps.db.owner.query('update upload set expires_at = now() where id = $1', [id]);
    await expireUploads(product.app.deps);
    expect((await storageOf().get(file.id)).toString()).toBe('hello');
  });
});

test('of thirty concurrent uploads at the limit as many begin as fit, and the rest are told to wait', async () => {
  const person = 'edge';
  const own = await organizationOf(person);
  const tus = tusOf(product, person);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => tus.create(own, KNOWLEDGE_FILE_MAX_BYTES)),
  );
  const fit = Math.floor(UPLOADS_OPEN_MAX_BYTES / KNOWLEDGE_FILE_MAX_BYTES);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(fit);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(30 - fit);
  expect(refused[0]?.headers.get('retry-after')).toBe('60');
  expect((await ada.create(organizationId, 5)).status).toBe(201);
});
