import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { bearing, visit } from '../../../test/visit.ts';

/** Needs the built pages, which `npm start` and `npm test` create. */
const isBuilt = existsSync('dist/web/embed/index.html');

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

async function makeAgent(allowedOrigins: string[] = [], isPublic = true) {
  const { id, handle } = (await owner.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  await owner.chatbot.update({ id, organizationId, allowedOrigins, isPublic });
  return { id, handle };
}

const open = (path: string) => fetch(product.url + path, { headers: { accept: 'text/html' } });

/** The sources allowed to frame the page. */
function framedBy(response: Response): string[] {
  const policy = response.headers.get('content-security-policy') ?? '';
  return /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
}

describe.runIf(isBuilt)('the frame of the widget', () => {
  test('can be framed by the sites on the list, as written there, and by no other', async () => {
    const list = [
      'https://shop.example',
      'http://localhost:8080',
      'https://*.brand.example',
      'https://xn--bcher-kva.example:8443',
    ];
    const { id, handle } = await makeAgent(['https://Shop.Example/', ...list.slice(1)]);
    for (const name of [id, handle]) {
      const response = await open(`/embed/${name}`);
      expect(response.status).toBe(200);
      expect(framedBy(response)).toEqual(list);
      expect(response.headers.get('x-frame-options')).toBeNull();
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('can be framed anywhere for an agent without a list', async () => {
    expect(framedBy(await open(`/embed/${(await makeAgent()).id}`))).toEqual(['*']);
  });

  test.each([
    "https://a.example; script-src 'unsafe-inline'",
    'null',
    '*',
    'https://*',
    'https://a.example.',
    "'self'",
  ])('%s is not accepted on a list, so it never appears in a policy', async (entry) => {
    await expect(makeAgent([entry])).rejects.toMatchObject({ status: 400 });
  });

  test('runs only our own scripts, like every page', async () => {
    const response = await open(`/embed/${(await makeAgent()).id}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /default-src 'self'; script-src 'self' 'nonce-[\w+/=]+'; style-src 'self' 'nonce-/,
    );
    expect(policy).not.toMatch(/unsafe|data: *;|\*;/);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    const page = await response.text();
    expect(page).toContain(`nonce="${nonce}"`);
    expect(page).not.toMatch(/__CSP_NONCE__|__SITES__/);
  });

  test('is an unframeable 404 for a private, deleted or unknown agent', async () => {
    const hidden = await makeAgent([], false);
    const gone = await makeAgent();
    await owner.chatbot.remove({ id: gone.id, organizationId });
    const strange = [
      'agt_01h455vb4pex5vsknk084sn02q',
      'nobody',
      '%00',
      '..%2F..',
      'x'.repeat(300),
      '%3Cscript%3E',
    ];
    for (const name of [hidden.id, hidden.handle, gone.id, ...strange]) {
      const response = await open(`/embed/${name}`);
      expect([name, response.status]).toEqual([name, 404]);
      expect(framedBy(response)).toEqual(["'none'"]);
    }
  });

  test('no other page can be framed, including danger settings, billing, invites and the page of an agent', async () => {
    const { id, handle } = await makeAgent();
    const settings = `/platform/${organizationId}/agent/${id}/settings/danger`;
    const account = `/platform/${organizationId}/account`;
    const pages = [
      '/',
      '/chat',
      `/chat/${handle}`,
      settings,
      `${account}/billing`,
      `${account}/members/invite`,
    ];
    for (const path of [
      ...pages,
      '/auth',
      '/auth/invite?token=x',
      '/embed',
      '/embed/',
      `/embed/${id}/more`,
    ]) {
      const response = await open(path);
      expect([path, framedBy(response)]).toEqual([path, ["'none'"]]);
      expect([path, response.headers.get('x-frame-options')]).toEqual([path, 'SAMEORIGIN']);
    }
  });

  test('opened directly, a restricted agent gives no token, and another agent’s token is refused', async () => {
    const { id } = await makeAgent(['https://shop.example']);
    expect(await (await open(`/embed/${id}`)).text()).toContain('content="https://shop.example"');
    const elsewhere = { status: 403, code: 'visitor/origin-not-allowed' };
    for (const site of [product.url, undefined, 'null'])
      await expect(visit(product, id, { site })).rejects.toMatchObject(elsewhere);
    const own = await visit(product, (await makeAgent()).id, { site: product.url });
    await expect(bearing(product, own.token).chat.create({ chatbotId: id })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe.runIf(isBuilt)('the widget script', () => {
  test('can be loaded by every site, with integrity too, and is refetched only when changed', async () => {
    const response = await fetch(`${product.url}/widget.js`, { headers: { origin: 'https://shop.example' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(response.headers.get('cache-control')).toMatch(/^public, max-age=3600/);
    const etag = response.headers.get('etag') ?? '';
    // Otherwise `fetch` adds a header that always requests the whole file.
    const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
    const again = await fetch(`${product.url}/widget.js`, { headers });
    expect(again.status).toBe(304);
    // Self-contained: one file, no other scripts, nothing evaluated.
    expect(await response.text()).not.toMatch(
      /\bimport\s*[({'"]|\beval\(|new Function|innerHTML|localStorage|document\.cookie/,
    );
  });

  test('is the only file that other sites can read', async () => {
    for (const path of ['/sw.js', '/manifest.webmanifest', '/icon.svg', '/', '/openapi.json']) {
      const { headers } = await fetch(product.url + path, { headers: { origin: 'https://shop.example' } });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});

describe('a call from another site', () => {
  const sites = [
    'null',
    'https://evil.example',
    'https://sub.shop.example',
    'https://shop.example.evil.example',
  ];

  test.each(sites)(
    'by %s to a private call gets an answer that the browser hides from it',
    async (origin) => {
      const { idToken } = await product.sessionOf('owner');
      for (const path of [
        '/v1/platform/organization',
        `/v1/chatbot?organizationId=${organizationId}`,
        '/v1/user',
      ]) {
        const asked = await fetch(product.url + path, {
          headers: { origin, cookie: `auth-token=${idToken}` },
        });
        expect(asked.headers.get('access-control-allow-origin')).toBeNull();
        expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
        expect(asked.headers.get('cache-control')).toBe('no-store');
      }
    },
  );
});
