import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ATTACHMENTS_MAX,
  CHAT_LINKS_MAX,
  PLUGINS_PER_AGENT_MAX,
  ROOM_PEOPLE_MAX,
  UPLOADS_OPEN_MAX,
} from '../../contract/limits.ts';
import { connect, startProduct, type Product, type TestClient } from '../../../test/product.ts';
import { createApp, type App } from '../app.ts';
import { createLog } from '../log.ts';
import { newId } from '../id.ts';

/** When many callers want the last places at once, exactly as many get one as there are, across two server processes. */

const LEFT = 5;
const CROWD = 30;

let product: Product;
let second: App;
let secondUrl: string;
let organizationId: string;
let agentId: string;

beforeAll(async () => {
  product = await startProduct();
  const { config } = product.app.deps;
  second = await createApp({ ...config, databaseUrl: product.databaseUrl }, createLog(config));
  await second.http.listen({ host: '127.0.0.1', port: 0 });
  secondUrl = `http://127.0.0.1:${(second.http.server.address() as AddressInfo).port}`;
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  agentId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await second.close();
  await product.close();
});

/** The same person at one of the two servers. */
async function at(index: number, name: string): Promise<TestClient> {
  const { idToken } = await product.sessionOf(name);
  return connect({
    baseUrl: index % 2 === 0 ? product.url : secondUrl,
    token: () => idToken,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), 'x-forwarded-for': `10.55.0.${index}` },
      }),
  });
}

/** How many of a crowd succeeded; all others were refused with a reason, not a server error. */
async function crowd(
  ask: (client: TestClient, index: number) => Promise<unknown>,
  name?: string,
): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CROWD }, (_, index) => at(index, name ?? `person-${index}`)),
  );
  const results = await Promise.allSettled(clients.map(ask));
  for (const result of results)
    if (result.status === 'rejected') expect([402, 409, 413, 429]).toContain(result.reason.status);
  return results.filter(({ status }) => status === 'fulfilled').length;
}

const query = (sql: string, values: unknown[]) => product.app.deps.db.owner.query(sql, values);

test('files per conversation', async () => {
  const { id } = (await product.as('ada').chat.create({ chatbotId: agentId })).conversation;
  for (let made = 0; made < ATTACHMENTS_MAX - LEFT; made += 1)
    await query(
      `insert into attachment (id, organization_id, conversation_id, user_id, name, media_type, bytes, storage_key)
       values ($1, $2, $3, $4, 'a.txt', 'text/plain', 1, $1)`,
      [newId('attachment'), organizationId, id, (await product.sessionOf('ada')).user.uid],
    );
  const add = (client: TestClient) => client.attachment.add({ id, media: new File(['A text.'], 'a.txt') });
  expect(await crowd(add, 'ada')).toBe(LEFT);
});

test('links per conversation', async () => {
  const { id } = (await product.as('ada').chat.create({ chatbotId: agentId })).conversation;
  for (let made = 0; made < CHAT_LINKS_MAX - LEFT; made += 1)
    await product.as('ada').chatLink.create({ id, audience: 'anybody' });
  expect(await crowd((client) => client.chatLink.create({ id, audience: 'anybody' }), 'ada')).toBe(LEFT);
});

test('people per room', async () => {
  const { id } = (await product.as('ada').chat.create({ chatbotId: agentId, kind: 'game' })).conversation;
  const { token } = (await product.as('ada').chatLink.create({ id, kind: 'join', audience: 'anybody' })).link;
  for (let came = 1; came < ROOM_PEOPLE_MAX - LEFT; came += 1)
    await product.as(`early-${came}`, 'guest').room.join({ token });
  expect(await crowd((client) => client.room.join({ token }))).toBe(LEFT);
  expect((await product.as('ada').room.people({ id })).people).toHaveLength(ROOM_PEOPLE_MAX);
});

test('plugins per agent', async () => {
  const plugin = { chatbotId: agentId, type: 'twitter', settingsData: {} } as const;
  for (let made = 0; made < PLUGINS_PER_AGENT_MAX - LEFT; made += 1)
    await product.as('ada').plugin.create(plugin);
  expect(await crowd((client) => client.plugin.create(plugin), 'ada')).toBe(LEFT);
});

test('open uploads', async () => {
  const { idToken } = await product.sessionOf('ada');
  const begin = async (index: number) => {
    const response = await fetch(`${index % 2 === 0 ? product.url : secondUrl}/v1/file/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${idToken}`,
        'tus-resumable': '1.0.0',
        'upload-length': '10',
        'upload-metadata': `filename ${btoa('a.txt')},organizationId ${btoa(organizationId)}`,
      },
    });
    return response.status;
  };
  for (let begun = 0; begun < UPLOADS_OPEN_MAX - LEFT; begun += 1) expect(await begin(begun)).toBe(201);
  const statuses = await Promise.all(Array.from({ length: CROWD }, (_, index) => begin(index)));
  expect(statuses.filter((status) => status === 201)).toHaveLength(LEFT);
  expect(statuses.filter((status) => status !== 201 && ![409, 413, 429].includes(status))).toEqual([]);
});
