import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';

let product: Product;
let authorization: string;
beforeAll(async () => {
  product = await startProduct();
  authorization = `Bearer ${(await product.sessionOf('ada')).idToken}`;
});
afterAll(() => product.close());

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(product.url + path, {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': 'application/json', ...headers },
  });
}

test('a failure is a problem document with a code and a request id, and reveals no internals', async () => {
  const response = await post('/v1/platform/organization', JSON.stringify({ name: '   ' }));
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  expect(problem).toMatchObject({
    status: 400,
    code: 'request/invalid',
    errors: [{ path: 'name', message: 'Must not be blank.' }],
  });
  expect(problem['requestId']).toBe(response.headers.get('x-request-id'));
  expect(JSON.stringify(problem)).not.toMatch(/at \/|node_modules|select /i);
});

test.each([
  ['an unknown field', JSON.stringify({ name: 'Acme', plan: 'PRO' })],
  ['a field of another type', JSON.stringify({ name: 5 })],
  ['an array for a text', JSON.stringify({ name: ['Acme'] })],
  ['NUL', JSON.stringify({ name: 'a\u0000b' })],
  ['a lone surrogate', '{"name":"\\ud800"}'],
  ['a name of which nothing is seen', JSON.stringify({ name: '\u200b\u00ad\u3164\u2060\u2800' })],
  ['__proto__', '{"name":"Acme","__proto__":{"polluted":true}}'],
  ['no object', '[]'],
  ['null', 'null'],
  ['nothing', ''],
  ['broken JSON', '{"name":'],
  ['JSON nested too deeply', `${'['.repeat(100)}${']'.repeat(100)}`],
])('%s is a 400 and changes nothing', async (_what, body) => {
  const response = await post('/v1/platform/organization', body);
  expect(response.status).toBe(400);
  expect(await product.as('ada').organization.list()).toMatchObject({ organizations: [] });
});

test('the error for a body that is not JSON says so', async () => {
  const response = await post('/v1/platform/organization', '{"name":');
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/not valid JSON/) as string });
});

test('a character set other than UTF-8 is a 400, and no letter is silently lost', async () => {
  const response = await fetch(`${product.url}/v1/platform/organization`, {
    method: 'POST',
    body: Buffer.from(JSON.stringify({ name: 'Müller' }), 'latin1'),
    headers: { authorization, 'content-type': 'application/json; charset=iso-8859-1' },
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'request/invalid', detail: 'The body is not UTF-8.' });
  expect(await product.as('ada').organization.list()).toMatchObject({ organizations: [] });
});

test.each([
  '-000001-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:00:00-14:00',
  '2026',
])('a cursor at the moment %s, which is impossible or not ours, is a 400', async (moment) => {
  const cursor = Buffer.from(JSON.stringify([0, moment, 'cnv_00000000000000000000000000'])).toString(
    'base64url',
  );
  await expect(product.as('ada').chat.list({ cursor })).rejects.toMatchObject({ status: 400 });
});

describe('a call without required fields needs no body', () => {
  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(product.url + path, { method, headers: { authorization, ...headers } });

  test.each([
    ['no body', {}],
    ['an empty one', { 'content-type': 'application/json' }],
  ])('%s', async (_what, headers) => {
    const ada = product.as('ada');
    const { organization } = await ada.organization.create({ name: 'Without words' });
    const { team } = await ada.team.create({ organizationId: organization.id, name: 'Support' });
    expect((await send('DELETE', `/v1/platform/team/${team.id}`, headers)).status).toBe(200);
    expect((await ada.team.list({ orgId: organization.id })).teams).toEqual([]);
    expect((await send('POST', '/v1/user/get-onboarding', headers)).status).toBe(200);
    await ada.organization.remove({ id: organization.id, name: 'Without words' });
  });

  test('a missing field is named', async () => {
    const response = await send('DELETE', '/v1/chatbot/agt_00000000000000000000000000');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ path: 'organizationId' }] });
  });
});

test('the type of a failure links to its documentation', async () => {
  const failure = await fetch(`${product.url}/v1/platform/organization`, { method: 'POST' });
  const { type, code, status } = (await failure.json()) as { type: string; code: string; status: number };
  const page = await fetch(new URL(type, product.url));
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain(
    `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td>`,
  );
});

/** Needs the built pages, which `npm start` and `npm test` create. */
test.runIf(existsSync('dist/web/index.html'))(
  'HEAD of a page returns the same status and type as GET',
  async () => {
    const ask = (method: string, path: string) =>
      fetch(product.url + path, { method, headers: { accept: 'text/html' } });
    for (const path of ['/auth', '/chat/parley', '/v1/nothing']) {
      const [read, asked] = [await ask('GET', path), await ask('HEAD', path)];
      expect([asked.status, asked.headers.get('content-type')]).toEqual([
        read.status,
        read.headers.get('content-type'),
      ]);
    }
  },
);

test.runIf(existsSync('dist/web/pages.json'))(
  'an address without a page is a 404, rendered by the app',
  async () => {
    const ask = async (path: string) => {
      const response = await fetch(product.url + path, { headers: { accept: 'text/html' } });
      return [path, response.status, response.headers.get('content-type')];
    };
    const html = 'text/html; charset=utf-8';
    const pages = [
      '/',
      '/auth?signup=true',
      '/auth/',
      '/chat',
      '/chat/agt_1',
      '/platform',
      '/platform/org_1',
    ];
    const deep = ['/platform/agent/create', '/platform/org_1/agent/agt_1/plugins/tool/tol_1', '/erased/x'];
    for (const path of [...pages, ...deep, '/platform/org_1/inbox/settings?tab=1'])
      expect(await ask(path)).toEqual([path, 200, html]);
    const none = ['/index.bak', '/auth/nothing', '/chat/a/b', '/platform/org_1/agent/agt_1/nothing'];
    for (const path of [...none, '/admin', '/app', '//[', '/pages.json', '/platform/a/inbox/b/c'])
      expect(await ask(path)).toEqual([path, 404, html]);
  },
);

test.runIf(existsSync('dist/web/pages.json'))(
  'link checkers that accept anything get the page, and programs that ask for JSON do not',
  async () => {
    const ask = async (path: string, accept: string, method = 'GET') => {
      const response = await fetch(product.url + path, { method, headers: { accept } });
      return [response.status, response.headers.get('content-type')?.split(';', 1)[0]];
    };
    for (const method of ['GET', 'HEAD'])
      expect(await ask('/chat/agt_1', '*/*', method)).toEqual([200, 'text/html']);
    const problem = [404, 'application/problem+json'];
    expect(await ask('/chat/agt_1', 'application/json')).toEqual(problem);
    expect(await ask('/chat/agt_1', '*/*', 'POST')).toEqual(problem);
    for (const path of ['/nothing', '/v1/nothing', '/chunk.js'])
      expect(await ask(path, '*/*')).toEqual(problem);
  },
);

test.runIf(existsSync('dist/web/pages.json'))(
  'a page preloads everything its address needs, and each file exists',
  async () => {
    const linked = async (path: string) => {
      const html = await (await fetch(product.url + path, { headers: { accept: 'text/html' } })).text();
      return [...html.matchAll(/<link rel="(?:modulepreload|preload)"[^>]* href="([^"]+)"/g)].map(
        (link) => link[1] ?? '',
      );
    };
    const [front, chat, begun, none] = await Promise.all(
      ['/', '/chat', '/chat/parley', '/nothing'].map(linked),
    );
    for (const parts of [front, chat, begun]) expect(parts?.length).toBeGreaterThan(none?.length ?? 0);
    expect(begun).toEqual(expect.arrayContaining(chat ?? []));
    for (const part of begun ?? []) expect((await fetch(product.url + part)).status).toBe(200);
  },
);

test('a body over 256 KiB is a 413, another media type a 415', async () => {
  expect(
    (await post('/v1/platform/organization', JSON.stringify({ name: 'x'.repeat(300_000) }))).status,
  ).toBe(413);
  expect(
    (
      await post('/v1/platform/organization', 'name=Acme', {
        'content-type': 'application/x-www-form-urlencoded',
      })
    ).status,
  ).toBe(415);
  expect((await post('/v1/platform/organization', 'Acme', { 'content-type': 'text/plain' })).status).toBe(
    415,
  );
});

test('unknown query fields and malformed ids are 400s, unknown addresses 404s', async () => {
  const get = (path: string) => fetch(product.url + path, { headers: { authorization } });
  expect((await get('/v1/platform/organization?all=true')).status).toBe(400);
  expect((await get('/v1/platform/organization/1')).status).toBe(400);
  expect((await get('/v1/chatbot')).status).toBe(400);
  expect((await get('/v1/chat?count=1e9')).status).toBe(400);
  for (const path of ['/.env', '/.git/config', '/v1/nothing', '/V1/chat', '//v1/chat', '/metrics']) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test('an unauthenticated caller is told to sign in before the input is validated', async () => {
  const response = await fetch(`${product.url}/v1/platform/organization`, {
    method: 'POST',
    body: '{"nonsense":1}',
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(401);
});

test('every answer has the security headers', async () => {
  for (const path of ['/healthz', '/v1/chat', '/nothing']) {
    const { headers } = await fetch(product.url + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBeTruthy();
    expect(headers.get('permissions-policy')).toBeTruthy();
    expect(headers.get('server')).toBeNull();
  }
});

describe('a rate limit by address', () => {
  test('answers 429 with Retry-After, and other addresses continue', async () => {
    const send = (address: string) =>
      fetch(`${product.url}/v1/log`, {
        method: 'POST',
        body: JSON.stringify({ log: 'x' }),
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      });
    const statuses: number[] = [];
    for (let index = 0; index < 62; index += 1) statuses.push((await send('203.0.113.9')).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    const refused = await send('203.0.113.9');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send('203.0.113.10')).status).toBe(200);
  });
});

describe.runIf(existsSync('dist/web/pages.json'))('the preview of a link to a chat', () => {
  const read = async (path: string) =>
    (await fetch(product.url + path, { headers: { accept: 'text/html' } })).text();
  const titleOf = (page: string) => /<title>(.*?)<\/title>/.exec(page)?.[1];

  test('has the name, text and picture of a public agent, with everything escaped', async () => {
    const owner = product.as('shopkeeper');
    const { organization } = await owner.organization.create({ name: 'Shop' });
    const organizationId = organization.id;
    const { id, handle } = (await owner.chatbot.create({ organizationId, name: 'Tea & <b>Cake' })).chatbot;
    const welcomeMessage = 'Ask "me" $& </title><script>1</script>';
    await owner.chatbot.update({ id, organizationId, isPublic: true, welcomeMessage });
    for (const name of [id, handle]) {
      const page = await read(`/chat/${name}?from=mail`);
      expect(page.match(/<title>/g)).toHaveLength(1);
      expect(titleOf(page)).toBe('Tea &amp; &lt;b&gt;Cake');
      expect(page).toContain('property="og:title" content="Tea &amp; &lt;b&gt;Cake"');
      const told = 'content="Ask &quot;me&quot; $&amp; &lt;/title&gt;&lt;script&gt;1&lt;/script&gt;"';
      expect(page).toContain(`name="description" ${told}`);
      expect(page).toContain(`property="og:description" ${told}`);
      expect(page).toContain(
        `property="og:url" content="http://localhost:${new URL(product.url).port}/chat/${name}"`,
      );
      const image = /property="og:image" content="([^"]*)"/.exec(page)?.[1] ?? '';
      expect((await fetch(image)).headers.get('content-type')).toBe('image/png');
    }
    await owner.chatbot.update({ id, organizationId, welcomeMessage: 'x__CSP_NONCE__x' });
    expect(await read(`/chat/${id}`)).toContain('content="x_&#95;CSP_NONCE_&#95;x"');
    await owner.chatbot.update({ id, organizationId, isPublic: false });
    for (const name of [id, handle]) expect(titleOf(await read(`/chat/${name}`))).toBe('Parley');
  });

  test('reveals nothing if the link names no public agent', async () => {
    for (const path of ['/chat', '/chat/nobody', '/chat/agt_1', '/chat/cnv_1', '/chat/shr_1', "/chat/x'--"])
      expect(titleOf(await read(path))).toBe('Parley');
  });
});
