import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { registerInBrowser } from '../browser-client.ts';
import { Server } from './server.ts';

/** SIGKILL while an agent is being created from another: there is never a partial agent, and one complete agent in the end. */

let server: Server;
test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
});
test.afterAll(() => server.remove());

const subjects = ['tides', 'bridges', 'ferries', 'lamps'];

test('the copy of an agent is absent until complete, even if the server is repeatedly killed', async () => {
  const { client } = await registerInBrowser(server.url, 'ada');
  const organizationId = (await client.organization.create({ name: 'Acme' })).organization.id;
  const { id } = (await client.chatbot.create({ organizationId, name: 'Original' })).chatbot;
  for (const subject of subjects) {
    const lines = Array.from({ length: 2000 }, (_, n) => `Sentence ${n} of the book on ${subject}${n}.`);
    const media = new File([lines.join('\n\n')], `${subject}.txt`, { type: 'text/plain' });
    const { file } = await client.file.upload({ organizationId, media });
    await client.knowledge.create({ id, organizationId, type: 'file', files: [file.id] });
  }
  const items = async (agentId: string) => (await client.knowledge.list({ id: agentId })).allKnowledge;
  const states = async (agentId: string) => (await items(agentId)).map(({ progress }) => progress.state);
  await expect.poll(() => states(id), { timeout: 60_000 }).toEqual(subjects.map(() => 'ready'));
  const ask = async (agentId: string) =>
    (await client.knowledge.tryQuestion({ id: agentId, question: 'Which book is on bridges77?' })).retrieval;
  const found = (await ask(id)).passages.map(({ text, score }) => [text, score]);
  expect(found.length).toBeGreaterThan(0);

  const importId = (await client.agentFile.duplicate({ id, organizationId, name: 'Copy' })).import.id;
  const read = async () => (await client.agentFile.getImport({ importId, organizationId })).import;
  const agents = async () => (await client.chatbot.list({ organizationId })).chatbots.map(({ name }) => name);
  let interrupted = 0;
  for (const delayMs of [50, 150, 300]) {
    await sleep(delayMs);
    await server.kill('SIGKILL');
    await server.startAgain();
    if ((await read()).state === 'ready') break;
    interrupted += 1;
    expect(await agents()).toEqual(['Original']);
  }
  expect(interrupted).toBeGreaterThan(0);
  await expect.poll(async () => (await read()).state, { timeout: 90_000 }).toBe('ready');
  expect(await agents()).toEqual(['Copy', 'Original']);
  const copy = (await read()).chatbotId ?? '';
  expect(await states(copy)).toEqual(subjects.map(() => 'ready'));
  expect((await ask(copy)).passages.map(({ text, score }) => [text, score])).toEqual(found);
});
