import { expect, test } from '@playwright/test';
import { registerInBrowser } from '../browser-client.ts';
import { startProvider, type Provider } from '../provider.ts';
import { Server } from './server.ts';

/** SIGKILL at a bad moment: nothing acknowledged is lost, and work goes on after the restart. */

let server: Server;
let provider: Provider;

test.beforeAll(async () => {
  provider = await startProvider({
    pieces: Array.from({ length: 40 }, (_, index) => `word${index} `),
    betweenPiecesMs: 100,
  });
  server = await Server.start({
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: provider.baseUrl,
    OPENAI_MODEL: 'stand-in',
    SEED_DEMO: 'off',
  });
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

async function startPerson() {
  const { client } = await registerInBrowser(server.url, 'ada');
  const { organization } = await client.organization.create({ name: 'Acme' });
  const { chatbot } = await client.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  return { client, organizationId: organization.id, agentId: chatbot.id };
}

test('killed in the middle of an answer, the question and what had come are there, and the answer can be asked again', async () => {
  const { client, agentId } = await startPerson();
  const { conversation } = await client.chat.create({ chatbotId: agentId, text: 'Say many words.' });
  await expect
    .poll(async () => (await client.chat.listMessages({ id: conversation.id })).messages[1]?.text.length ?? 0)
    .toBeGreaterThan(20);
  const before = (await client.chat.listMessages({ id: conversation.id })).messages;
  await server.kill('SIGKILL');
  await server.startAgain();
  const after = (await client.chat.listMessages({ id: conversation.id })).messages;
  expect(after.map(({ id, role, sequence }) => [id, role, sequence])).toEqual(
    before.map(({ id, role, sequence }) => [id, role, sequence]),
  );
  expect(after[0]).toMatchObject({ text: 'Say many words.', state: 'complete' });
  expect(after[1]?.state).toBe('incomplete');
  expect(after[1]?.text.startsWith(before[1]?.text ?? '?')).toBe(true);
  provider.script = { pieces: ['Whole ', 'now.'] };
  const { answer } = await client.chat.retry({ id: conversation.id });
  expect(answer).toMatchObject({ id: after[1]?.id, state: 'complete', text: 'Whole now.' });
});

test('killed again and again while knowledge is processed, each item ends ready with exactly one set of passages', async () => {
  const { client, organizationId, agentId } = await startPerson();
  const text = Array.from(
    { length: 1500 },
    (_, index) => `Paragraph number ${index} speaks about the topic called subject${index}.`,
  ).join('\n\n');
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      client.knowledge.create({
        id: agentId,
        organizationId,
        type: 'text',
        description: `Part ${index}`,
        text,
      }),
    ),
  );
  for (const delay of [0, 60, 150, 300, 700]) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    await server.kill('SIGKILL');
    await server.startAgain();
  }
  const states = async () =>
    (await client.knowledge.list({ id: agentId })).allKnowledge.map(({ progress }) => progress.state);
  await expect.poll(states, { timeout: 90_000 }).toEqual(made.map(() => 'ready'));
  const { allKnowledge } = await client.knowledge.list({ id: agentId });
  expect(new Set(allKnowledge.map(({ chunks }) => chunks)).size).toBe(1);
  expect(allKnowledge[0]?.chunks).toBeGreaterThan(20);
});
