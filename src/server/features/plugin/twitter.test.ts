import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../../../test/browser.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startXService, type XService } from '../../../../test/stand-ins/x-service.ts';
import { newId } from '../../id.ts';
import { signPluginTicket } from '../../identity/plugin-tickets.ts';
import { hashSecret } from '../../identity/secrets.ts';

let service: XService;
let product: Product;
let organizationId: string;
let chatbotId: string;
/** The owner's. */
let browser: Browser;
let pluginId: string;

beforeAll(async () => {
  service = await startXService();
  product = await startProduct({ x: service.config });
  browser = openBrowser(product);
  browser.adopt(await product.sessionOf('owner'));
  organizationId = (await browser.client.organization.create({ name: 'Acme' })).organization.id;
  chatbotId = (await browser.client.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await service.close();
});
beforeEach(async () => {
  const { plugin } = await browser.client.plugin.create({ chatbotId, type: 'twitter', settingsData: {} });
  pluginId = plugin.id;
});

/** Opens one of our addresses as a page in this browser, without following redirects. */
async function open(by: Browser, url: string): Promise<Response> {
  const cookie = [...by.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const { pathname, search } = new URL(url);
  return fetch(product.url + pathname + search, {
    redirect: 'manual',
    headers: { accept: 'text/html,*/*', ...(cookie && { cookie }) },
  });
}

/** Up to X: the address at X that the browser is led to. */
async function goToX(by: Browser = browser, id: string = pluginId): Promise<string> {
  const { url } = await by.client.plugin.connect({ id });
  return (await open(by, url)).headers.get('location') ?? '';
}

async function problemOf(response: Response): Promise<{ status: number; code: string }> {
  const { status, code } = (await response.json()) as { status: number; code: string };
  expect(response.status).toBe(status);
  return { status, code };
}

const refused = { status: 400, code: 'plugin/login-refused' };
const connectionOf = async (id = pluginId) => (await browser.client.plugin.get({ id })).plugin.connection;
const nothing = { isConnected: false, accountName: null };

test('a member connects an account: to X and back to the plugin, with no secrets on the way', async () => {
  const toX = new URL(await goToX());
  expect(toX.href).toContain(service.config.authorizationUrl);
  expect(toX.searchParams.get('code_challenge_method')).toBe('S256');
  expect(toX.search).not.toMatch(/agt_|org_|plg_|usr_/);
  const back = await open(browser, service.agree(toX.href, 'acme').href);
  expect(back.status).toBe(302);
  expect(back.headers.get('location')).toBe(
    `/platform/${organizationId}/agent/${chatbotId}/plugins/twitter/${pluginId}`,
  );
  expect(back.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await connectionOf()).toEqual({ isConnected: true, accountName: 'acme' });
});

test('an API client gets the address instead of a redirect', async () => {
  const { url } = await browser.client.plugin.connect({ id: pluginId });
  const ticket = new URL(url).searchParams.get('ticket') ?? '';
  browser.adopt(undefined);
  const onward = await browser.client.plugin.twitterLogin({ ticket });
  browser.adopt(await product.sessionOf('owner'));
  expect(onward.url).toContain(service.config.authorizationUrl);
});

test('the tokens are stored encrypted for this plugin alone, and returned in no response', async () => {
  await open(browser, service.agree(await goToX(), 'sealed').href);
  const { owner } = product.app.deps.db;
  const { rows } = await owner.query<{ id: string; credentials: string }>(
    'select id, credentials from plugin where credentials is not null',
  );
  const tables = await owner.query(
    'select row::text from plugin row union all select row::text from audit_entry row',
  );
  const answers = [
    await browser.client.plugin.list({ chatbotId }),
    await browser.client.audit.list({ organizationId }),
  ];
  expect(service.tokens.length).toBeGreaterThan(0);
  for (const token of service.tokens) {
    expect(JSON.stringify(tables.rows)).not.toContain(token);
    expect(JSON.stringify(answers)).not.toContain(token);
  }
  for (const { credentials } of rows) expect(JSON.stringify(answers)).not.toContain(credentials);
  const [one, two] = rows;
  const { vault } = product.app.deps;
  expect(JSON.parse(vault.decrypt(one?.credentials ?? '', one?.id ?? ''))).toMatchObject({
    accessToken: expect.any(String) as string,
    refreshToken: expect.any(String) as string,
  });
  expect(() => vault.decrypt(one?.credentials ?? '', two?.id ?? '')).toThrow();
});

test('without a state, or with a forged one or another browser’s, nothing is connected', async () => {
  const back = service.agree(await goToX(), 'attacker');
  const stranger = openBrowser(product);
  stranger.adopt(await product.sessionOf('stranger'));
  for (const state of ['', 'x', chatbotId, `${back.searchParams.get('state')}x`]) {
    const changed = new URL(back);
    changed.searchParams.set('state', state);
    expect(await problemOf(await open(browser, changed.href))).toEqual(refused);
  }
  const none = new URL(back);
  none.searchParams.delete('state');
  expect(await problemOf(await open(browser, none.href))).toEqual(refused);
  expect(await problemOf(await open(stranger, back.href))).toEqual(refused);
  expect(await connectionOf()).toEqual(nothing);
  // It still belongs to the right browser.
  expect((await open(browser, back.href)).status).toBe(302);
});

test('another agent’s id added to the address is refused', async () => {
  const back = service.agree(await goToX(), 'attacker');
  back.searchParams.set('chatbotId', newId('agent'));
  expect((await problemOf(await open(browser, back.href))).status).toBe(400);
  expect(await connectionOf()).toEqual(nothing);
});

test('an answer counts once, even when it arrives many times at once', async () => {
  const back = service.agree(await goToX(), 'once').href;
  const many = await Promise.all(Array.from({ length: 5 }, () => open(browser, back)));
  expect(many.map(({ status }) => String(status)).toSorted()).toEqual(['302', '400', '400', '400', '400']);
  expect(await problemOf(await open(browser, back))).toEqual(refused);
});

test('an answer that arrives too late is refused', async () => {
  const back = service.agree(await goToX(), 'late').href;
  await product.app.deps.db.owner.query(`update plugin_login set expires_at = now() - interval '1 second'`);
  expect(await problemOf(await open(browser, back))).toEqual(refused);
});

test('a code that is unknown to X or from another login connects nothing', async () => {
  const [one, two] = [service.agree(await goToX(), 'one'), service.agree(await goToX(), 'two')];
  one.searchParams.set('code', two.searchParams.get('code') ?? '');
  expect(await problemOf(await open(browser, one.href))).toEqual({
    status: 400,
    code: 'auth/provider-refused',
  });
  expect(await connectionOf()).toEqual(nothing);
});

test('a person who declines at X returns to the plugin with nothing connected', async () => {
  const back = service.agree(await goToX(), 'unwilling');
  back.searchParams.delete('code');
  back.searchParams.set('error', 'access_denied');
  const response = await open(browser, back.href);
  expect(response.headers.get('location')).toBe(
    `/platform/${organizationId}/agent/${chatbotId}/plugins/twitter/${pluginId}`,
  );
  expect(await connectionOf()).toEqual(nothing);
});

test('a ticket works once, in the browser that requested it, for five minutes, and for nobody else', async () => {
  const { url } = await browser.client.plugin.connect({ id: pluginId });
  // Nobody else's browser may be led into connecting its account to this plugin.
  const victim = openBrowser(product);
  expect(await problemOf(await open(victim, url))).toEqual(refused);
  const other = (await browser.client.plugin.create({ chatbotId, type: 'twitter', settingsData: {} })).plugin;
  victim.adopt(await product.sessionOf('owner'));
  await victim.client.plugin.connect({ id: other.id });
  expect(await problemOf(await open(victim, url))).toEqual(refused);
  expect((await open(browser, url)).status).toBe(302);
  expect(await problemOf(await open(browser, url))).toEqual(refused);
  for (const ticket of ['', 'x', (await product.sessionOf('owner')).idToken])
    expect(
      await problemOf(await open(browser, `${product.url}/v1/plugin/twitter/oauth-login?ticket=${ticket}`)),
    ).toEqual(refused);
});

test('a ticket for another organization’s plugin, or by someone who may not change it, leads nowhere', async () => {
  const { keys } = product.app.deps.identity;
  const stranger = (await product.sessionOf('stranger')).user.uid;
  const owner = (await product.sessionOf('owner')).user.uid;
  const secret = [...browser.jar].find(([name]) => name.endsWith('plugin-browser'))?.[1] ?? '';
  for (const [sub, plugin] of [
    [stranger, pluginId],
    [owner, newId('plugin')],
  ] as const) {
    const ticket = await signPluginTicket(keys, { sub, plugin, browser: hashSecret(secret) });
    expect(
      await problemOf(await open(browser, `${product.url}/v1/plugin/twitter/oauth-login?ticket=${ticket}`)),
    ).toEqual(refused);
  }
});

test('a permission revoked in between connects nothing', async () => {
  const { client: owner } = browser;
  const editor = await join(product, owner, 'editor', { organizationId, role: 'editor' });
  const [first, second] = [await goToX(editor), await editor.client.plugin.connect({ id: pluginId })];
  await owner.member.update({ id: editor.memberId, role: 'viewer' });
  expect(await problemOf(await open(editor, second.url))).toEqual(refused);
  expect(await problemOf(await open(editor, service.agree(first, 'demoted').href))).toEqual(refused);
  expect(await connectionOf()).toEqual(nothing);
});
