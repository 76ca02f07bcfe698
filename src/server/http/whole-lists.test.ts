import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { join } from '../../../test/join.ts';

/** Lists that are returned whole can also be paged through, in the same order. */

let product: Product;
let ada: TestClient;
let organizationId: string;
let agentId: string;

const NUMBERS = [1, 2, 3, 4, 5];

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  for (const number of NUMBERS) {
    const { chatbot } = await ada.chatbot.create({ organizationId, name: `Helper ${number}` });
    agentId = chatbot.id;
    // Two names are identical.
    await ada.team.create({ organizationId, name: `Team ${Math.max(number, 2)}` });
    await ada.apiKey.create({ organizationId, name: `Key ${number}`, scope: 'read' });
    await ada.member.invite({ organizationId, email: `invited-${number}@example.com`, role: 'viewer' });
  }
  for (const number of NUMBERS) {
    await join(product, ada, `member-${number}`, { organizationId, role: 'viewer' });
    const description = `What is ${number}?`;
    await ada.knowledge.create({ id: agentId, organizationId, type: 'qa', description, text: 'A number.' });
  }
});
afterAll(() => product.close());

interface Asked {
  cursor?: string;
  count?: number;
}
interface Given {
  rows: { id: string }[];
  nextCursor: string | null;
}

const lists: [string, (asked: Asked) => Promise<Given>][] = [
  [
    'agents',
    async (asked) => {
      const { chatbots: rows, nextCursor } = await ada.chatbot.list({ organizationId, ...asked });
      return { rows, nextCursor };
    },
  ],
  [
    'teams',
    async (asked) => {
      const { teams: rows, nextCursor } = await ada.team.list({ orgId: organizationId, ...asked });
      return { rows, nextCursor };
    },
  ],
  [
    'members',
    async (asked) => {
      const { members: rows, nextCursor } = await ada.member.list({ orgId: organizationId, ...asked });
      return { rows, nextCursor };
    },
  ],
  [
    'invites',
    async (asked) => {
      const { invites: rows, nextCursor } = await ada.member.listInvites({ orgId: organizationId, ...asked });
      return { rows, nextCursor };
    },
  ],
  [
    'API keys',
    async (asked) => {
      const { apiKeys: rows, nextCursor } = await ada.apiKey.list({ organizationId, ...asked });
      return { rows, nextCursor };
    },
  ],
  [
    'knowledge',
    async (asked) => {
      const { allKnowledge: rows, nextCursor } = await ada.knowledge.list({ id: agentId, ...asked });
      return { rows, nextCursor };
    },
  ],
];

test.each(lists)('%s are listed whole, or in pages that cover all of them', async (_what, list) => {
  const whole = await list({});
  expect(whole.nextCursor).toBeNull();
  expect(whole.rows.length).toBeGreaterThanOrEqual(NUMBERS.length);
  for (const count of [1, 2, whole.rows.length]) {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Given = await list({ count, ...(cursor && { cursor }) });
      expect(page.rows.length).toBeLessThanOrEqual(count);
      ids.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(ids).toEqual(whole.rows.map(({ id }) => id));
  }
});

test.each(lists)('%s are refused with an invalid cursor or count', async (_what, list) => {
  for (const asked of [{ cursor: 'abc' }, { count: 0 }, { count: 101 }])
    await expect(list(asked)).rejects.toMatchObject({ status: 400, code: 'request/invalid' });
});

test('a page continues where the last one ended, even if its last row has been deleted', async () => {
  const { chatbots } = await ada.chatbot.list({ organizationId });
  const { nextCursor } = await ada.chatbot.list({ organizationId, count: 2 });
  await ada.chatbot.remove({ id: chatbots[1]?.id ?? '', organizationId, permanently: true });
  const next = await ada.chatbot.list({ organizationId, cursor: nextCursor ?? '' });
  expect(next.chatbots.map(({ id }) => id)).toEqual(chatbots.slice(2).map(({ id }) => id));
});
