import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StorefrontConfig } from '../../../contract/storefront.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { connectAccount, forFree, forGood, monthly, pack, sell } from '../../../../test/selling.ts';

let product: Product;
let owner: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  await connectAccount(product, owner, organizationId);
});
afterAll(() => product.close());

async function begin() {
  const { chatbot } = await owner.chatbot.create({ organizationId, name: 'Helper' });
  const { id, draft } = (await owner.storefront.create({ agentId: chatbot.id })).storefront;
  return { key: { organizationId, agentId: chatbot.id }, handle: chatbot.handle, id, draft };
}

async function publish(id: string, config: StorefrontConfig) {
  await owner.storefront.update({ id, config });
  await owner.storefront.publish({ id });
}

async function open(handle: string, language = 'en') {
  const response = await fetch(`${product.url}/s/${handle}`, { headers: { 'accept-language': language } });
  return response.text();
}

test('the page lists what is for sale, with prices in the reader’s language, and links to checkout', async () => {
  const { key, handle, id, draft } = await begin();
  const once = await sell(owner, key, forGood, 'For good');
  const subscription = await sell(owner, key, monthly(100, 7), 'Monthly');
  await sell(owner, key, forFree(20), 'A taste');
  await publish(id, draft);
  const html = await open(handle);
  expect(html).toContain(`/chat/${handle}?buy=${once.id}"`);
  expect(html).toContain('<p class="price"><bdi dir="ltr">$19.00</bdi></p>');
  expect(html).toContain('<p class="price"><bdi dir="ltr">$9.00 a month</bdi></p>');
  expect(html).toContain('<li>7 days free</li><li>100 answers a month</li>');
  expect(html).toContain('<p class="price"><bdi dir="ltr">Free</bdi></p>');
  expect(html).toContain('Test mode: no money moves.');
  expect(await open(handle, 'de-DE,de;q=0.9')).toContain(
    '<p class="price"><bdi dir="ltr">19,00\u00A0$</bdi></p>',
  );
  expect(await open(handle, 'x'.repeat(200))).toContain('$19.00');
  const [data] = /\{"@context.*?\}(?=<\/script>)/s.exec(html) ?? [];
  expect(JSON.parse(data ?? '')['@graph'][0].offers).toMatchObject([
    { name: 'For good', price: '19.00', priceCurrency: 'USD' },
    { name: 'Monthly', price: '9.00', priceCurrency: 'USD' },
    { name: 'A taste', price: '0.00' },
  ]);

  await owner.product.update({ id: subscription.id, state: 'archived' });
  expect(await open(handle)).not.toContain('Monthly');
});

test('only the chosen products are shown, in their order, and none of another agent', async () => {
  const { key, handle, id, draft } = await begin();
  const other = await begin();
  const first = await sell(owner, key, forGood, 'First');
  const second = await sell(owner, key, pack(10), 'Second');
  await sell(owner, key, pack(10), 'Third');
  const foreign = await sell(owner, other.key, pack(10), 'Foreign');
  await publish(id, { ...draft, products: [second.id, foreign.id, first.id] });
  const html = await open(handle);
  expect(html.match(/<h3>\w+<\/h3>/g)).toEqual(['<h3>Second</h3>', '<h3>First</h3>']);
});

test('product texts are escaped too', async () => {
  const { key, handle, id, draft } = await begin();
  const { product: made } = await owner.product.create(key);
  const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
  await owner.product.update({
    id: made.id,
    paymentConfig: forFree(5),
    detailsConfig: { name: hostile, description: hostile, features: [hostile], isHighlighted: true },
    state: 'active',
  });
  await publish(id, draft);
  const html = await open(handle);
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).not.toContain('<img src=x');
  expect(html.match(/<script/g)).toHaveLength(1);
});

test('a new page invites people to try the agent only if it answers them before they pay', async () => {
  const kindsWith = async (...sold: Parameters<typeof sell>[2][]) => {
    const { chatbot } = await owner.chatbot.create({ organizationId, name: 'Helper' });
    const key = { organizationId, agentId: chatbot.id };
    for (const config of sold) await sell(owner, key, config);
    const { draft } = (await owner.storefront.create({ agentId: chatbot.id })).storefront;
    return draft.sections.map(({ kind }) => kind);
  };
  expect(await kindsWith(monthly(100))).toEqual(['offers']);
  expect(await kindsWith(monthly(100), forFree(20))).toEqual(['offers', 'chat']);
  expect(await kindsWith()).toEqual(['offers', 'chat']);
});

test('people who go back without paying are on the page again, or in the chat they came from', async () => {
  const { key, handle, id, draft } = await begin();
  const offered = await sell(owner, key, forGood, 'For good');
  const wayBack = async (name: string, conversationId?: string) => {
    const given = { id: offered.id, ...(conversationId && { conversationId }) };
    const { url } = await product.as(name, 'guest').purchase.begin(given);
    const page = await (await fetch(url ?? '')).text();
    return URL.parse(/href="([^"]+)"[^>]*>Back without paying/.exec(page)?.[1] ?? '')?.pathname;
  };
  expect(await wayBack('early')).toBe(`/chat/${key.agentId}`);
  await publish(id, draft);
  expect(await wayBack('buyer')).toBe(`/s/${handle}`);
  const { conversation } = await product.as('asker', 'guest').chat.create({ chatbotId: key.agentId });
  expect(await wayBack('asker', conversation.id)).toBe(`/chat/${conversation.id}`);
});

test('a page with a full set of sections is small', async () => {
  const { key, handle, id, draft } = await begin();
  for (const name of ['Small', 'Medium', 'Large']) await sell(owner, key, monthly(100), name);
  const words = 'It answers questions about the collection, in the language in which they are asked. ';
  await publish(id, {
    ...draft,
    tagline: words,
    sections: [
      { kind: 'about', title: 'About', text: words.repeat(12) },
      {
        kind: 'features',
        title: 'Features',
        items: Array.from({ length: 6 }, () => ({ title: 'Quick', text: words })),
      },
      { kind: 'offers', title: 'Plans' },
      {
        kind: 'questions',
        title: 'Questions',
        items: Array.from({ length: 10 }, () => ({ question: 'Is it quick?', answer: words })),
      },
      { kind: 'chat', title: 'Try it', text: words },
    ],
  });
  expect(Buffer.byteLength(await open(handle))).toBeLessThan(30 * 1024);
});
