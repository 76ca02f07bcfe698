import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openBrowser, type Browser } from '../../../../test/browser.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../../../test/taught-agent.ts';
import { limitHeaders } from '../../../../test/stand-ins/x-api.ts';
import { startXService, type XService } from '../../../../test/stand-ins/x-service.ts';
import { weightOf } from '../../channels/x/post-text.ts';
import { askDueChannels } from './ask.job.ts';

let service: XService;
let provider: Provider;
let product: Product;
let browser: Browser;
let organizationId: string;
let pluginId: string;

beforeAll(async () => {
  service = await startXService();
  provider = await startProvider({ pieces: [] });
  product = await startProduct({ providers: { openai: provider.openai }, x: service.config });
  browser = openBrowser(product);
  browser.adopt(await product.sessionOf('owner'));
  organizationId = (await browser.client.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await service.close();
});
beforeEach(async () => {
  provider.script = { pieces: ['Until ', 'nine.'] };
  const { api } = service;
  Object.assign(api, { posts: [], messages: [], failing: [], asked: [], limit: undefined });
  service.tokensLast = 7200;
  await product.app.deps.db.owner.query('delete from plugin');
  const chatbotId = (await makeTaughtAgent(browser.client, organizationId)).id;
  pluginId = (await browser.client.plugin.create({ chatbotId, type: 'twitter', settingsData: {} })).plugin.id;
  await connect();
});

/** The member signs in at X with the account. */
async function connect(): Promise<void> {
  const open = (url: string) => {
    const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { pathname, search } = new URL(url);
    return fetch(product.url + pathname + search, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
    });
  };
  const { url } = await browser.client.plugin.connect({ id: pluginId });
  const toX = (await open(url)).headers.get('location') ?? '';
  expect((await open(service.agree(toX, 'acme').href)).status).toBe(302);
  await askDueChannels(product.app.deps);
  await quiet();
}

/** X is polled again a minute later. */
async function aMinuteLater(): Promise<void> {
  await product.app.deps.db.owner.query(
    `update plugin set ask_at = now() - interval '1 second',
       asked = (select jsonb_object_agg(key, value || '{"again": ""}') from jsonb_each(asked))`,
  );
  await askDueChannels(product.app.deps);
}

const plugin = async () => (await browser.client.plugin.get({ id: pluginId })).plugin;
const kept = async () => (await browser.client.plugin.listMessages({ id: pluginId })).messages;
const states = async () => (await kept()).map(({ state }) => state);
const posted = () => service.api.posted.map(({ text }) => text);
const slow = { timeout: 60_000 };

/** No poll is in progress. */
const quiet = () =>
  expect
    .poll(
      () =>
        product.app.deps.db.owner.query(
          `select from pgboss.job where name = 'channel.ask' and state < 'completed'`,
        ),
      slow,
    )
    .toMatchObject({ rowCount: 0 });

/** X has been polled `times` times for its mentions feed. */
const isAsked = (times: number) =>
  expect
    .poll(() => service.api.asked.filter((path) => path.endsWith('/mentions')).length, slow)
    .toBeGreaterThanOrEqual(times);

test('a post that mentions the account is answered below it, and a reply continues the conversation', async () => {
  const { api } = service;
  const post = api.post('ada', '@acme when do you close?');
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
  expect(posted()[0]).toContain('Until nine.');
  expect(api.posted[0]?.referenced_tweets).toEqual([{ type: 'replied_to', id: post.id }]);
  expect(provider.requests.at(-1)?.messages.at(-1)).toMatchObject({
    content: expect.stringContaining('when do you close?') as string,
  });
  expect(JSON.stringify(provider.requests.at(-1)?.messages.at(-1))).not.toContain('@acme');
  api.post('ada', '@acme and on Sunday?', api.posted[0]);
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(2);
  await expect.poll(states).toEqual(['answered', 'answered']);
  const conversations = (await kept()).map(({ personName, conversationId }) => [personName, conversationId]);
  expect(new Set(conversations.map(String)).size).toBe(1);
  expect(conversations[0]?.[0]).toBe('Ada');
  expect(await plugin()).toMatchObject({ health: { state: 'healthy', error: null }, webhookUrl: null });
});

test('a direct message is answered there, in full', async () => {
  provider.script = { pieces: Array.from({ length: 100 }, (_, index) => `**word${index}** `) };
  service.api.write('bob', 'Tell me everything');
  await aMinuteLater();
  await expect.poll(() => service.api.written, slow).toHaveLength(1);
  expect(service.api.written[0]).toContain('word0 word1');
  expect(service.api.written[0]).toContain('word99');
  expect(posted()).toEqual([]);
});

test('it does not answer posts from before the account was connected, talk between others, or itself', async () => {
  const { api } = service;
  await isAsked(1);
  const question = api.post('ada', 'What is the best shop?');
  const named = api.post('bob', '@ada @acme is', question);
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
  // Automatically mentions everyone above it.
  api.post('ada', '@bob @acme thank you', named);
  api.post('bob', 'Nothing for anybody');
  await aMinuteLater();
  await isAsked(3);
  await product.app.deps.db.owner.query(
    `update plugin set asked = null, updated_at = now(), ask_at = now() - interval '1 second'`,
  );
  await isAsked(4);
  await expect.poll(states).toEqual(['answered']);
  expect(posted()).toHaveLength(1);
});

test('in a group it listens to whoever mentions it, and continues with them', async () => {
  const { api } = service;
  api.write('ada', 'Lunch?', '900');
  api.write('ada', '@acme until when are you open?', '900');
  await aMinuteLater();
  await expect.poll(() => api.written, slow).toHaveLength(1);
  api.write('bob', 'I am not hungry', '900');
  api.write('ada', 'And on Sunday?', '900');
  await aMinuteLater();
  await expect.poll(() => api.written, slow).toHaveLength(2);
  expect((await kept()).map(({ text }) => text)).toEqual(['And on Sunday?', 'until when are you open?']);
});

test('more than one page is read, in order, and a post read twice is answered once', async () => {
  const { api } = service;
  for (let index = 0; index < 7; index += 1) api.post('ada', `@acme question ${index}`);
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(7);
  const asked = (await kept()).map(({ text }) => text).toReversed();
  expect(asked).toEqual(Array.from({ length: 7 }, (_, index) => `question ${index}`));
  // Killed before the read position was saved.
  await product.app.deps.db.owner.query(
    `update plugin set asked = jsonb_set(asked, '{mentions,newest}', '"1"'), ask_at = now() - interval '1 second'`,
  );
  await aMinuteLater();
  await isAsked(6);
  await expect.poll(states).toHaveLength(7);
  expect(posted()).toHaveLength(7);
});

test.each([
  ['Öffnung 営業', 12],
  ['see https://example.com/a/very/long/path?with=more', 28],
  ['🙂', 2],
])('%s counts as %i', (text, weight) => {
  expect(weightOf(text)).toBe(weight);
});

test('posts are as long as X counts them, mention nobody, and do not flood', async () => {
  const line = 'Öffnungszeiten 営業時間 🙂 at https://example.com/a/long/address/that/counts/less @bob\n\n';
  provider.script = { pieces: Array.from({ length: 60 }, () => line) };
  service.api.post('ada', '@acme tell me everything');
  await aMinuteLater();
  await expect.poll(states, slow).toEqual(['answered']);
  expect(posted()).toHaveLength(6);
  for (const text of posted()) expect(weightOf(text)).toBeLessThanOrEqual(280);
  expect(posted().join('')).not.toContain('@bob');
  expect(posted()[5]).toMatch(/ …$/);
});

/** What X recognizes as mentions, by its own library's rule (twitter-text 3.1.0, `validMentionOrList`). */
const mentionsIn = (text: string) =>
  text.match(
    /(?:^|[^a-zA-Z0-9_!#$%&*@＠]|(?:^|[^a-zA-Z0-9_+~.-])(?:rt|RT|rT|Rt):?)[@＠][a-zA-Z0-9_]{1,20}/g,
  ) ?? [];

test('an agent mentions nobody in its posts, however it was led to write the name', async () => {
  const names = ['@victim', '.@victim', 'RT@victim', '(rt@victim', '＠victim', 'é@victim', 'https://@victim'];
  for (const name of names) expect(mentionsIn(name)).toHaveLength(1);
  const mail = 'help@shop.example start@shop.example';
  const links = 'https://shop.example/@shop https://shop.example/?q=@victim';
  const cutInside = `${'a'.repeat(279)}@victim ${'b'.repeat(277)}rt@victim`;
  provider.script = { pieces: [`${names.join(' ')} ${mail} ${links}\n\n${cutInside}`] };
  service.api.post('ada', '@acme whom do you know?');
  await aMinuteLater();
  await expect.poll(states, slow).toEqual(['answered']);
  for (const text of posted()) {
    expect(mentionsIn(text)).toEqual([]);
    expect(weightOf(text)).toBeLessThanOrEqual(280);
  }
  expect(posted()[0]).toContain(mail);
  expect(posted()[0]).toContain('https://shop.example/%40shop');
});

test('tokens are refreshed before they expire, once, by one process', async () => {
  service.tokensLast = 2;
  await connect();
  await isAsked(1);
  const given = service.tokens.length;
  service.tokensLast = 7200;
  await aMinuteLater();
  await Promise.all([
    browser.client.plugin.check({ id: pluginId }),
    browser.client.plugin.check({ id: pluginId }),
  ]);
  expect(service.tokens.length).toBe(given + 2);
  service.api.post('ada', '@acme when do you close?');
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
});

test('an account that X no longer admits is reported as needing reconnection, and then works again', async () => {
  await isAsked(1);
  service.revoke();
  const { plugin: checked } = await browser.client.plugin.check({ id: pluginId });
  expect(checked.health).toMatchObject({ state: 'failing', error: 'X refused access to the account.' });
  await connect();
  service.api.post('ada', '@acme when do you close?');
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
  await expect.poll(async () => (await plugin()).health.state).toBe('healthy');
  service.tokensLast = 60;
  await connect();
  service.revoke();
  await aMinuteLater();
  const error = 'X no longer allows access to the account. Connect it again.';
  await expect.poll(async () => (await plugin()).health).toMatchObject({ state: 'failing', error });
});

test('a feed that the application may not read is reported, and the other is read', async () => {
  const { api } = service;
  const body = { title: 'Forbidden', detail: 'Your plan does not include direct messages.' };
  api.failing = [{ path: '/2/dm_events', times: 99, answer: { status: 403, body } }];
  api.post('ada', '@acme when do you close?');
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
  const health = async () => (await plugin()).health;
  await expect
    .poll(health)
    .toMatchObject({ state: 'failing', error: 'X said: Your plan does not include direct messages.' });
});

test('it polls as often as X allows, and later when X asks it to', async () => {
  const { api } = service;
  const again = async (feed: string) => {
    const { rows } = await product.app.deps.db.owner.query<{ seconds: number }>(
      `select extract(epoch from (asked -> $1 ->> 'again')::timestamptz - now())::int as seconds from plugin`,
      [feed],
    );
    return rows[0]?.seconds ?? 0;
  };
  api.limit = { remaining: 2, resetsInSeconds: 600 };
  const tooMany = { status: 429, body: {}, headers: limitHeaders({ remaining: 0, resetsInSeconds: 500 }) };
  api.failing = [{ path: '/2/dm_events', times: 1, answer: tooMany }];
  await aMinuteLater();
  await quiet();
  await expect.poll(() => again('messages')).toBeGreaterThan(450);
  expect(await again('mentions')).toBeGreaterThan(250);
  expect(await again('mentions')).toBeLessThanOrEqual(300);
  // The plugin is due as soon as one of its feeds may be polled, and not before.
  const { rows } = await product.app.deps.db.owner.query<{ isThen: boolean }>(
    `select ask_at = (asked -> 'mentions' ->> 'again')::timestamptz as "isThen" from plugin`,
  );
  expect(rows).toEqual([{ isThen: true }]);
  expect((await plugin()).health.state).toBe('healthy');
});

test('members are told what X refuses to post, and what it cannot accept now is posted later', async () => {
  const { api } = service;
  api.failing = [{ path: '/2/tweets', times: 2, answer: { status: 503, body: {} } }];
  api.post('ada', '@acme when do you close?');
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
  const detail = 'You are not allowed to create a Tweet with duplicate content.';
  api.failing = [{ path: '/2/tweets', times: 1, answer: { status: 403, body: { detail } } }];
  api.post('bob', '@acme when do you close?');
  await aMinuteLater();
  await expect
    .poll(async () => (await kept())[0], slow)
    .toMatchObject({ state: 'failed', error: `X said: ${detail}` });
});

test('a paused plugin is not polled, and posts from the meantime are not answered', async () => {
  const { api } = service;
  await isAsked(1);
  await browser.client.plugin.update({ id: pluginId, status: 'paused' });
  api.asked = [];
  api.post('ada', '@acme anybody there?');
  await aMinuteLater();
  await quiet();
  expect(api.asked).toEqual([]);
  await browser.client.plugin.update({ id: pluginId, status: 'active' });
  api.post('ada', '@acme and now?');
  await aMinuteLater();
  await expect.poll(posted, slow).toHaveLength(1);
  expect((await kept()).map(({ text }) => text)).toEqual(['and now?']);
});
