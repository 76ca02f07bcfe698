import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StorefrontConfig } from '../../../contract/storefront.ts';
import { hostileTexts } from '../../../web/chat/markdown/hostile-texts.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
});
afterAll(() => product.close());

const agentOf = async (name = 'Helper') => (await owner.chatbot.create({ organizationId, name })).chatbot;
const open = async (handle: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${product.url}/s/${handle}`, { headers });
  return { response, html: await response.text() };
};
const begin = async (config?: Partial<StorefrontConfig>) => {
  const agent = await agentOf();
  const { storefront } = await owner.storefront.create({ agentId: agent.id });
  const { id, draft } = storefront;
  if (config) await owner.storefront.update({ id, config: { ...draft, ...config } });
  return { agent, id, draft };
};

test('edits become public only once published, and disappear when unpublished', async () => {
  const { agent, id, draft } = await begin();
  expect((await open(agent.handle)).response.status).toBe(404);
  await owner.storefront.update({ id, config: { ...draft, headline: 'First words' } });
  expect((await open(agent.handle)).response.status).toBe(404);

  const { storefront } = await owner.storefront.publish({ id });
  expect(storefront).toMatchObject({ revision: 2, publishedRevision: 2, agentId: agent.id });
  expect(new URL(storefront.url).pathname).toBe(`/s/${agent.handle}`);
  expect((await open(agent.handle)).html).toContain('<h1>First words</h1>');

  await owner.storefront.update({ id, config: { ...draft, headline: 'Second words' } });
  expect((await open(agent.handle)).html).toContain('First words');
  await owner.storefront.publish({ id });
  expect((await open(agent.handle)).html).toContain('Second words');

  await owner.storefront.unpublish({ id });
  expect((await open(agent.handle)).response.status).toBe(404);
  const { entries } = await owner.audit.list({ organizationId });
  expect(entries.filter(({ targetId }) => targetId === id).map(({ action }) => action)).toEqual([
    'storefront.unpublish',
    'storefront.publish',
    'storefront.update',
    'storefront.publish',
    'storefront.update',
    'storefront.create',
  ]);
});

test('the page and its agent are found however the address is capitalized, and with a slash at its end', async () => {
  const { agent, id } = await begin();
  await owner.storefront.publish({ id });
  const handle = agent.handle.toUpperCase();
  expect((await open(handle)).response.status).toBe(200);
  const { response } = await open(`${agent.handle}/`);
  expect([response.status, new URL(response.url).pathname]).toEqual([200, `/s/${agent.handle}`]);
  const guest = product.as('guest', 'guest');
  expect((await guest.chatbot.getPublic({ idOrHandle: handle })).agent.id).toBe(agent.id);
  expect((await guest.visitor.authenticate({ chatbotId: handle })).agent.id).toBe(agent.id);
  expect((await guest.purchase.offers({ chatbotId: handle })).offers).toEqual([]);
  expect((await fetch(`${product.url}/embed/${handle}`)).status).toBe(200);
});

test('a headline and the titles of listed items must not be blank', async () => {
  const { id, draft } = await begin();
  const blank: Partial<StorefrontConfig>[] = [
    { headline: '  ' },
    { sections: [{ kind: 'features', title: '', items: [{ title: ' ', text: 'Quick' }] }] },
    { sections: [{ kind: 'questions', title: '', items: [{ question: '\n', answer: 'Yes' }] }] },
  ];
  for (const config of blank)
    await expect(owner.storefront.update({ id, config: { ...draft, ...config } })).rejects.toMatchObject({
      status: 400,
    });
});

test('an agent has one storefront, however often and concurrently it is created', async () => {
  const { id: agentId } = await agentOf();
  expect(await owner.storefront.find({ agentId })).toEqual({ storefront: null });
  const made = await Promise.all(Array.from({ length: 20 }, () => owner.storefront.create({ agentId })));
  expect(new Set(made.map(({ storefront }) => storefront.id)).size).toBe(1);
  expect((await owner.storefront.find({ agentId })).storefront).toEqual(made[0]?.storefront);
});

test('the second of two saves of a draft is refused, and so is publishing a draft that has changed since', async () => {
  const { id, draft } = await begin();
  await owner.storefront.update({ id, config: { ...draft, headline: 'Mine' }, revision: 1 });
  const late = { id, config: { ...draft, headline: 'Late' }, revision: 1 };
  await expect(owner.storefront.update(late)).rejects.toMatchObject({ status: 409 });
  await expect(owner.storefront.publish({ id, revision: 1 })).rejects.toMatchObject({ status: 409 });
  expect((await owner.storefront.get({ id })).storefront.draft.headline).toBe('Mine');
});

test('the page of a private, deleted or unknown agent does not exist', async () => {
  const { agent, id } = await begin();
  await owner.storefront.publish({ id });
  await owner.chatbot.update({ id: agent.id, organizationId, isPublic: false });
  expect((await open(agent.handle)).response.status).toBe(404);
  await owner.chatbot.update({ id: agent.id, organizationId, isPublic: true });
  expect((await open(agent.handle)).response.status).toBe(200);
  await owner.chatbot.remove({ id: agent.id, organizationId });
  expect((await open(agent.handle)).response.status).toBe(404);
  await expect(owner.storefront.get({ id })).rejects.toMatchObject({ status: 404 });
  for (const handle of ['nobody', 'a'.repeat(200), '..%2f..%2f', '%00', agent.id])
    expect((await open(handle)).response.status).toBe(404);
});

test('the page has no executable script, names its only style and is cached briefly', async () => {
  const { agent, id } = await begin({
    seoTitle: 'Helps you',
    seoDescription: 'An agent that helps.',
    sections: [
      { kind: 'about', title: 'About', text: '# Why\n\nOne **bold** word.\n\n- first\n- second' },
      { kind: 'questions', title: 'Questions', items: [{ question: 'Is it quick?', answer: 'It is.' }] },
      { kind: 'chat', title: 'Try it', text: '' },
    ],
  });
  await owner.storefront.publish({ id });
  const { response, html } = await open(agent.handle, { 'accept-language': 'de-CH' });
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  expect(response.headers.get('vary')).toMatch(/accept-language/);
  expect(html).toContain('<title>Helps you</title><meta name="description" content="An agent that helps.">');
  expect(html).toContain(`<link rel="canonical" href="http`);
  expect(html).toContain(`/chat/${agent.handle}"`);
  expect(html).toContain(
    '<h3>Why</h3>\n<p>One <strong>bold</strong> word.</p>\n<ul><li>first</li><li>second</li></ul>',
  );
  expect(dataOf(html)['@graph']).toMatchObject([
    { '@type': 'Product', name: 'Helper' },
    { '@type': 'FAQPage', mainEntity: [{ name: 'Is it quick?', acceptedAnswer: { text: 'It is.' } }] },
  ]);
  const tag = response.headers.get('etag') ?? '';
  const again = await open(agent.handle, { 'accept-language': 'de-CH', 'if-none-match': tag });
  expect([again.response.status, again.html]).toEqual([304, '']);
});

const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as {
    '@graph': unknown[];
  };

test('a page in a right-to-left language has that direction', async () => {
  const { agent, id } = await begin();
  await owner.storefront.publish({ id });
  const speak = async (language: string) => {
    await owner.chatbot.update({ id: agent.id, organizationId, language });
    return (await open(agent.handle)).html;
  };
  expect(await speak('ar-EG')).toContain('<html lang="ar-EG" dir="rtl">');
  expect(await speak('de')).toContain('<html lang="de">');
});

test('no text becomes markup, whatever field it is in', async () => {
  const { agent, id } = await begin();
  const texts = [
    ...hostileTexts,
    '</script><script>alert(1)</script>',
    '<!--',
    '"><img src=x onerror=alert(1)>',
  ];
  for (const hostile of texts) {
    // Every field rejects NUL with a 400.
    const each = hostile.replaceAll('\u0000', '');
    const short = each.slice(0, 70).toWellFormed();
    const long = each.slice(0, 200).toWellFormed();
    const config: StorefrontConfig = {
      headline: short || 'x',
      tagline: long,
      picture: null,
      products: null,
      seoTitle: short,
      seoDescription: long,
      sections: [
        {
          kind: 'about',
          title: short,
          text: `${each.slice(0, 600).toWellFormed()}\n\n- ${long}\n\n# ${long}`,
        },
        { kind: 'features', title: short, items: [{ title: short || 'x', text: long }] },
        { kind: 'questions', title: short, items: [{ question: short || 'x', answer: long }] },
        { kind: 'chat', title: short, text: long },
      ],
    };
    await owner.storefront.update({ id, config });
    await owner.storefront.publish({ id });
    const { html } = await open(agent.handle);
    // All tags are ours, and none has an attribute we don't write.
    const tags = html.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) expect(tag).toMatch(ours);
    for (const [, address] of html.matchAll(/href="([^"]*)"/g))
      expect(address).toMatch(/^(https?:|#offers$|\/icon)/);
    expect(() => dataOf(html)).not.toThrow();
  }
});

const ours =
  /^<(!doctype html|\/?[a-z]\w*( (lang|charset|name|content|rel|href|property|type|class|id|src|alt)="[^"<>]*")*)>$/;

test('a picture must have been uploaded for the agent, and is kept while the page shows it', async () => {
  const { agent, id, draft } = await begin();
  const foreign = { ...draft, picture: `/images/${'0'.repeat(32)}.webp` };
  await expect(owner.storefront.update({ id, config: foreign })).rejects.toMatchObject({ status: 400 });
  const png = sharp({ create: { width: 2000, height: 900, channels: 3, background: '#345' } }).png();
  const media = new File([await png.toBuffer()], 'a.png');
  const { url } = await owner.chatbot.uploadImage({ id: agent.id, purpose: 'picture', media });
  await owner.storefront.update({ id, config: { ...draft, picture: url } });
  await owner.storefront.publish({ id });
  expect((await open(agent.handle)).html).toContain(`<img src="${url}" alt="">`);
  const drawn = await sharp(Buffer.from(await (await fetch(product.url + url)).arrayBuffer())).metadata();
  expect(drawn.width).toBe(1280);
});

test('a preview renders unsaved content, and its links are inert', async () => {
  const { id, draft } = await begin();
  const { html } = await owner.storefront.preview({ id, config: { ...draft, headline: 'Not saved' } });
  expect(html).toContain('<h1>Not saved</h1>');
  expect(html.replaceAll('href="#offers"', '')).not.toContain('href=');
  expect((await owner.storefront.get({ id })).storefront.draft).toEqual(draft);
});

test('a member who cannot see the agent cannot see its storefront', async () => {
  const { id, agent } = await begin();
  const other = product.as('stranger');
  await other.organization.create({ name: 'Other' });
  const missing = { status: 404 };
  await expect(other.storefront.get({ id })).rejects.toMatchObject(missing);
  await expect(other.storefront.find({ agentId: agent.id })).rejects.toMatchObject(missing);
  await expect(other.storefront.publish({ id })).rejects.toMatchObject(missing);
});

test('a storefront moves with its agent to another organization', async () => {
  const { id, agent } = await begin();
  const toOrganizationId = (await owner.organization.create({ name: 'Beta' })).organization.id;
  await owner.storefront.publish({ id });
  await owner.agentKeeping.transfer({ id: agent.id, organizationId, toOrganizationId, name: agent.name });
  expect((await owner.storefront.get({ id })).storefront.organizationId).toBe(toOrganizationId);
  expect((await open(agent.handle)).response.status).toBe(200);
});
