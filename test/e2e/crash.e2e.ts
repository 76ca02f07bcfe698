import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import type { Knowledge } from '../../src/contract/knowledge.ts';
import { registerInBrowser } from '../browser-client.ts';
import { pageOf, startChangingSite } from '../stand-ins/changing-site.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { Server } from './server.ts';

/** SIGKILL at a bad moment: nothing acknowledged is lost, and work continues after the restart. */

let server: Server;
let provider: Provider;

test.beforeAll(async () => {
  provider = await startProvider({
    pieces: Array.from({ length: 40 }, (_, index) => `word${index} `),
    betweenPiecesMs: 100,
  });
  server = await Server.start({ ...provider.environment, SEED_DEMO: 'off' }, { isEmbedded: true });
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

test('killed during an answer, the question and the partial answer survive, and the answer can be requested again', async () => {
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
  expect(answer).toMatchObject({ parentId: after[0]?.id, state: 'complete', text: 'Whole now.' });
  const shown = (await client.chat.listMessages({ id: conversation.id })).messages;
  expect(shown.map(({ id }) => id)).toEqual([after[0]?.id, answer.id]);
});

test('repeatedly killed while processing knowledge, each item ends ready with exactly one set of passages', async () => {
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

test('killed at each step, an item ends ready with exactly one set of passages', async () => {
  // Dozens of starts.
  test.setTimeout(900_000);
  const site = await startChangingSite();
  await server.kill('SIGTERM');
  server.environment['SSRF_ALLOWED_HOSTS'] = site.host;
  server.environment['CRAWL_REQUESTS_PER_SECOND'] = '50';
  await server.startAgain();
  const { client, organizationId, agentId: id } = await startPerson();
  const paths = Array.from({ length: 60 }, (_, index) => `/page-${index}`);
  const fill = (edition: string) => {
    site.pages.set('/', pageOf('All', `Everything, ${edition}.`, paths));
    for (const path of paths)
      site.pages.set(path, pageOf(path, `${edition} words about ${path}. `.repeat(60)));
  };
  fill('First');
  const long = Array.from({ length: 60_000 }, (_, index) => `Sentence ${index} of a long text.`).join(' ');
  const upload = async (name: string, data: Uint8Array<ArrayBuffer>) =>
    (await client.file.upload({ organizationId, media: new File([data], name) })).file.id;
  const files = [
    await upload('libtasn1.pdf', new Uint8Array(await readFile('test/fixtures/libtasn1.pdf'))),
    await upload('long.txt', new TextEncoder().encode(long)),
  ];
  const addFiles = () =>
    client.knowledge.create({ id, organizationId, type: 'file', description: 'Files', files });
  const addSite = () =>
    client.knowledge.create({
      id,
      organizationId,
      type: 'website',
      links: [`${site.url}/`],
      site: { mode: 'domain' },
    });
  const stateOf = async (knowledgeId: string) =>
    (await client.knowledge.get({ id, knowledgeId })).knowledge.progress.state;
  const settled = async (knowledgeId: string): Promise<Knowledge> => {
    await expect.poll(() => stateOf(knowledgeId), { timeout: 90_000 }).toBe('ready');
    return (await client.knowledge.get({ id, knowledgeId })).knowledge;
  };
  /** Polls without a pause: some of the moments are short. */
  const killWhen = async (isNow: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isNow())) await new Promise((resolve) => setTimeout(resolve, 1));
    await server.kill('SIGKILL');
    await server.startAgain();
  };

  const undisturbed = [await addFiles(), await addSite()];
  const expected = [];
  for (const { knowledge } of undisturbed) expected.push((await settled(knowledge.id)).chunks);
  expect(expected.every((chunks) => chunks > 50)).toBe(true);

  const disturbed: [knowledgeId: string, chunks: number | undefined][] = [];
  /** If the state passed between two polls, another item is added and watched. */
  const killAt = async (state: string, add: typeof addFiles, chunks: number | undefined): Promise<void> => {
    const { knowledge } = await add();
    disturbed.push([knowledge.id, chunks]);
    let now = '';
    const isNow = async () => [state, 'ready'].includes((now = await stateOf(knowledge.id)));
    await killWhen(isNow);
    if (now !== state) await killAt(state, add, chunks);
  };
  for (const state of ['queued', 'extracting', 'embedding']) await killAt(state, addFiles, expected[0]);
  for (const state of ['fetching', 'extracting', 'embedding']) await killAt(state, addSite, expected[1]);
  // While a newer revision is being read, and at the moment it replaces the old one.
  fill('Second');
  const [, { knowledge: website }] = undisturbed as [unknown, { knowledge: Knowledge }];
  site.requests.length = 0;
  await client.knowledge.resync({ id, knowledgeId: website.id });
  await killWhen(() => site.requests.length > 10);
  const lastPage = paths.at(-1) ?? '';
  await killWhen(() => site.requests.some((request) => request.includes(`${lastPage} 200`)));
  disturbed.push([website.id, undefined]);

  for (const [knowledgeId, chunks] of disturbed) {
    const knowledge = await settled(knowledgeId);
    if (chunks !== undefined) expect(knowledge.chunks).toBe(chunks);
    let counted = 0;
    let cursor: string | undefined;
    do {
      const page = await client.source.list({ id, knowledgeId, count: 100, cursor });
      expect(page.sources.every(({ state }) => state === 'ready')).toBe(true);
      counted += page.sources.reduce((sum, source) => sum + source.chunks, 0);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(counted).toBe(knowledge.chunks);
  }
  expect((await settled(website.id)).revision).toBe(2);
  const { retrieval } = await client.knowledge.tryQuestion({ id, question: 'Second words about page-7' });
  expect(retrieval.passages.some(({ text }) => text.includes('Second words about /page-7.'))).toBe(true);
  await site.close();
});
