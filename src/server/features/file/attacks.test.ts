import { connect } from 'node:net';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KNOWLEDGE_FILE_MAX_BYTES } from '../../../contract/limits.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

/** Malicious uploads in place of ordinary files. */

let product: Product;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  organizationId = (await product.as('ada').organization.create({ name: 'Ada and company' })).organization.id;
});
afterAll(() => product.close());

const address = () => `${product.url}/v1/file?organizationId=${organizationId}`;
const bearer = async () => ({ authorization: `Bearer ${(await product.sessionOf('ada')).idToken}` });

async function keptFiles(): Promise<string[]> {
  const entries = await readdir(path.join(product.app.deps.config.dataDir, 'files'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Sends a multipart body verbatim, and returns the status and the time taken. */
async function sendRaw(body: BodyInit, boundary = 'b', more: Record<string, string> = {}) {
  const start = performance.now();
  const response = await fetch(address(), {
    method: 'POST',
    headers: { ...(await bearer()), 'content-type': `multipart/form-data; boundary=${boundary}`, ...more },
    body,
  });
  const answer = (await response.json()) as {
    code?: string;
    file?: { id: string; name: string };
    errors?: { path: string }[];
  };
  return { status: response.status, ms: performance.now() - start, ...answer };
}

const part = (disposition: string, content = 'hello') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: text/plain\r\n\r\n${content}\r\n`;
const form = (disposition: string, content?: string) => `${part(disposition, content)}--b--\r\n`;

describe('names', () => {
  test.each([
    ['../../x.txt', 'x.txt'],
    ['/etc/passwd.txt', 'passwd.txt'],
    ['C:\\\\Windows\\\\system.txt', 'system.txt'],
    ['\u202Etxt.exe.txt', 'txt.exe.txt'],
    [`${'n'.repeat(300)}.txt`, `${'n'.repeat(196)}.txt`],
    ['<img src=x onerror=alert(1)>.txt', '<img src=x onerror=alert(1)>.txt'],
    ['CON.txt', 'CON.txt'],
    ['😀.txt', '😀.txt'],
  ])('%j is shown without its path, and the file is stored under an id', async (given, shown) => {
    const { status, file } = await sendRaw(form(`name="media"; filename="${given}"`));
    expect([status, file?.name]).toEqual([200, shown]);
    expect(file?.id).toMatch(/^fil_[0-9a-z]{26}$/);
    expect(await keptFiles()).toContain(file?.id);
  });

  test.each(['.htaccess', 'CON', 'a.exe', 'a.php', 'a.txt.svg'])(
    '%j is not a supported file type',
    async (given) => {
      const before = await keptFiles();
      const { status, code } = await sendRaw(form(`name="media"; filename="${given}"`));
      expect([status, code]).toEqual([400, 'storage/file-type']);
      expect(await keptFiles()).toEqual(before);
    },
  );

  test('of two names for one file one is used, and neither as a path', async () => {
    const both = `name="media"; filename="a.txt"; filename*=UTF-8''..%2F..%2Fb.txt`;
    const { status, file } = await sendRaw(form(both));
    expect(status).toBe(200);
    expect(['a.txt', 'b.txt']).toContain(file?.name);
  });
});

describe('a different content type', () => {
  test.each(['{"media":{"path":"/etc/passwd"}}', '{"files":{"media":{"filepath":"/etc/passwd"}}}'])(
    'JSON (%s) is not an upload',
    async (body) => {
      const { status, code } = await sendRaw(body, 'b', { 'content-type': 'application/json' });
      expect([status, code]).toEqual([415, 'request/unsupported-media-type']);
    },
  );

  test('a form is not JSON', async () => {
    const body = new FormData();
    body.set('name', 'Taken over');
    const response = await fetch(`${product.url}/v1/organization`, {
      method: 'POST',
      headers: await bearer(),
      body,
    });
    expect([404, 415]).toContain(response.status);
  });

  test.each([
    ['an HTML page', '<html><script>alert(1)</script></html>', 'a.png'],
    ['a picture with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'a.svg'],
    ['a GIF that is a script', 'GIF89a/*\u0000\u0000*/=1;alert(1)', 'a.gif'],
    ['a PNG', '\u0089PNG\r\n\u001a\n', 'a.png'],
  ])('%s is refused for its content, whatever its name', async (_what, content, name) => {
    const { status, code } = await sendRaw(form(`name="media"; filename="${name}"`, content));
    expect([status, code]).toEqual([400, 'storage/file-type']);
  });
});

describe('a form with more than one file', () => {
  const file = part('name="media"; filename="a.txt"');
  test.each([
    ['a second file', file + part('name="media"; filename="b.txt"')],
    ['another file after it', file + part('name="other"; filename="b.txt"')],
    ['another file before it', part('name="other"; filename="b.txt"') + file],
    ['a field after it', file + part('name="x"', '1')],
    ['a field before it', part('name="x"', '1') + file],
    ['a field in its place', part('name="media"')],
  ])('%s is refused and nothing is stored, not even one of the two', async (_what, parts) => {
    const before = await keptFiles();
    const { status, code, errors } = await sendRaw(`${parts}--b--\r\n`);
    expect([status, code, errors?.[0]?.path]).toEqual([400, 'request/invalid', 'media']);
    expect(await keptFiles()).toEqual(before);
  });
});

describe('floods', () => {
  const fields = Array.from({ length: 10_000 }, (_, at) => part(`name="f${at}"`, 'x')).join('');
  const cases: [string, () => Promise<{ status: number; ms: number }>][] = [
    ['10,000 fields', () => sendRaw(`${fields}--b--\r\n`)],
    ['a field 100,000 deep', () => sendRaw(form(`name="a${'[b]'.repeat(100_000)}"`))],
    ['10,000 files', () => sendRaw(`${fields.replaceAll('"\r\n', '"; filename="a.txt"\r\n')}--b--\r\n`)],
    ['no end', () => sendRaw(part('name="media"; filename="a.txt"'))],
    ['a part without a head', () => sendRaw('--b\r\n\r\n\r\n--b--\r\n')],
    ['a boundary of 10 kB', () => sendRaw(form('name="media"; filename="a.txt"'), 'b'.repeat(10_000))],
    [
      '1 MB of a header in the form',
      () => sendRaw(form(`name="media"; filename="${'a'.repeat(1_000_000)}"`)),
    ],
    ['nothing', () => sendRaw('')],
  ];
  test.each(cases)('%s is refused, and soon', async (_what, send) => {
    const { status, ms } = await send();
    expect([400, 413]).toContain(status);
    expect(ms).toBeLessThan(10_000);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
  });

  test('a header of 1 MB is rejected', async () => {
    const start = performance.now();
    const status = await sendRaw(form('name="media"'), 'b', { 'x-long': 'a'.repeat(1_000_000) }).then(
      (answer) => answer.status,
      () => 431,
    );
    expect(status).toBe(431);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('one byte over the limit is a 413, and nothing is stored', async () => {
    const before = await keptFiles();
    const body = new FormData();
    body.set('media', new File([Buffer.alloc(KNOWLEDGE_FILE_MAX_BYTES + 1, 'a')], 'a.txt'));
    const response = await fetch(address(), { method: 'POST', headers: await bearer(), body });
    expect(response.status).toBe(413);
    expect(await keptFiles()).toEqual(before);
  });
});

test('a client that disconnects halfway through its file leaves nothing behind', async () => {
  const before = await keptFiles();
  const { authorization } = await bearer();
  const { port } = new URL(product.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST /v1/file?organizationId=${organizationId} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n` +
          `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n` +
          `${part('name="media"; filename="a.txt"').slice(0, -2)}${'x'.repeat(500_000)}`,
        () => setTimeout(() => socket.destroy(), 200),
      );
    });
    socket.on('close', () => resolve());
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await keptFiles()).toEqual(before);
  expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
});

test('files uploaded for knowledge are served nowhere', async () => {
  const { file } = await product.as('ada').file.upload({
    organizationId,
    media: new File(['<script>alert(1)</script>'], 'a.html'),
  });
  for (const place of ['files', 'images', 'data/files', 'v1/file', 'drafts']) {
    const response = await fetch(`${product.url}/${place}/${file.id}`, { headers: await bearer() });
    expect([place, response.status]).toEqual([place, 404]);
    expect(await response.text()).not.toContain('alert(1)');
  }
});
