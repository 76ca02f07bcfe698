import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { plans } from '../../../contract/plans.ts';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { collect, openStream, textOf } from '../../../../test/stream.ts';

/** With plans, knowledge and history, and including those that begin and end transactions. */
const STATEMENTS = 7;
/** Words that nobody has asked for yet take a round trip for their postings and one for the passages, each with its scope. */
const SEARCH_STATEMENTS = 4;

let product: Product;
let provider: Provider;
let conversationId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['From ', 'nine.'] });
  product = await startProduct({
    billing: { mode: 'on', plans },
    providers: { openai: provider.openai },
  });
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const text = 'The opening hours of the shop are from nine to five. Returns are taken within a month.';
  await ada.knowledge.create({ id, organizationId, type: 'text', description: 'Shop', text });
  await vi.waitUntil(
    async () => (await ada.knowledge.list({ id })).allKnowledge[0]?.progress.state === 'ready',
    60_000,
  );
  conversationId = (await product.as('bob').chat.create({ chatbotId: id })).conversation.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

/** How a connection starts to act for an organization, initially and later. */
const SPEAKS = /parley\.organization|execute parley_\d+\('(org|cnv)_/;

/** The statements sent to the database until the answer is complete; preparation happens once per connection. */
async function statementsOf(text: string): Promise<string[]> {
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const stream = await openStream(product, 'bob', `/v1/chat/${conversationId}/message`, {
      body: { text },
    });
    expect(textOf(await collect(stream.events))).toBe('From nine.');
    const queries = sent.mock.calls.map(([query], index) => ({
      text: typeof query === 'string' ? query : (query as unknown as { text: string }).text,
      client: sent.mock.contexts[index],
    }));
    // Maintenance continues meanwhile, on connections that never act for an organization.
    const serving = new Set(queries.filter(({ text }) => SPEAKS.test(text)).map(({ client }) => client));
    return queries
      .filter(({ client }) => serving.has(client))
      .map(({ text }) => text)
      .flatMap((query) => query.split(';'))
      .filter((statement) => statement.trim() !== '' && !/^\s*prepare /.test(statement));
  } finally {
    sent.mockRestore();
  }
}

test('a turn takes seven statements, and four more with words not asked about before', async () => {
  // Cached data about the organization and its session is read with the first ones.
  for (const greeting of ['Hello?', 'Hello?', 'Hello?']) await statementsOf(greeting);
  for (const question of ['What are the opening hours?', 'And the returns?']) {
    const first = await statementsOf(question);
    expect(first.length, first.join('\n')).toBeLessThanOrEqual(STATEMENTS + SEARCH_STATEMENTS);
    const again = await statementsOf(question);
    expect(again.length, again.join('\n')).toBe(STATEMENTS);
  }
});
