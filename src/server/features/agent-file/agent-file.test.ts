import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddingAt, makeAgentFile, Workshop } from '../../../../test/agent-file.ts';
import { join } from '../../../../test/join.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { tusOf } from '../../../../test/tus.ts';
import { newId } from '../../id.ts';
import { openLoopbackSite, type LoopbackSite } from '../../egress/loopback-site.testing.ts';

let product: Product;
let provider: Provider;
let site: LoopbackSite;
let ada: TestClient;
let organizationId: string;
let workshop: Workshop;
/** The agent as it is in the organization, and its file. */
let guide: string;
let file: Buffer<ArrayBuffer>;

const page = (title: string, text: string, ...links: string[]) =>
  `<title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links.map((href) => `<a href="${href}">more</a>`).join('')}</main>`;
const pages: Record<string, string> = {
  '/': page('Harbour', 'Boats leave the harbour at ten in the morning.', '/tickets', '/copy'),
  '/tickets': page('Tickets', 'A ticket for the ferry costs twelve euros. Children travel for free.'),
  '/copy': page('Tickets', 'A ticket for the ferry costs twelve euros. Children travel for free.'),
};

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes [1].'] });
  site = await openLoopbackSite((request, response) => {
    const body = pages[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body);
  });
  product = await startProduct({
    ssrfAllowedHosts: [`127.0.0.1:${site.port}`],
    crawlRequestsPerSecond: 1000,
    embedding: embeddingAt(provider.baseUrl),
  });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  workshop = new Workshop(product, 'ada', organizationId, site.port);
  guide = await workshop.furnish();
  file = await workshop.exported(guide);
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await site.close();
});

const questions = [
  'When do you open?',
  'when do you close',
  'What does rule number 17 say about bicycles?',
  'bicycles ride free',
  'How much is a ticket for the ferry?',
  'Which colour has the ferry?',
  'lamp for a bicycle',
  'boats in the morning',
  'ferr tickts', // misspelt
  'fleet vehicles',
  'Was kostet die Fähre?',
  'children',
  'guide',
  'harbor',
  'quantum physics',
];

/** What each question finds, without ids. */
async function retrievals(id: string) {
  const lists = [];
  for (const question of questions) {
    const {
      passages,
      milliseconds: _,
      ...rest
    } = (await ada.knowledge.tryQuestion({ id, question })).retrieval;
    lists.push({
      question,
      ...rest,
      passages: passages.map(({ chunkId: _c, sourceId: _s, knowledgeId: _k, ...passage }) => passage),
    });
  }
  return lists;
}

/** The results of its test set, without ids or times. */
async function judgements(id: string) {
  const [set] = (await ada.testSet.list({ id, organizationId })).testSets;
  const of = { id, organizationId, testSetId: set?.id ?? '' };
  const { run } = await ada.testSet.run(of);
  const read = () => ada.testSet.getRun({ ...of, runId: run.id });
  await expect.poll(async () => (await read()).run.state).toBe('done');
  return (await read()).results.map(({ testCaseId: _, seconds: _s, ...rest }) => rest);
}

/** The knowledge it was given, with texts. */
async function knowledgeOf(id: string) {
  const { allKnowledge } = await ada.knowledge.list({ id });
  return Promise.all(
    allKnowledge.map(async ({ id: knowledgeId }) => (await ada.knowledge.get({ id, knowledgeId })).knowledge),
  );
}

test('an agent that is exported, deleted for good and imported gives every question the same results and scores', async () => {
  const before = {
    found: await retrievals(guide),
    judged: await judgements(guide),
    agent: (await ada.chatbot.get({ id: guide, organizationId })).chatbot,
  };
  expect(before.judged.length).toBeGreaterThan(0);
  const knew = await knowledgeOf(guide);
  expect(before.found.flatMap(({ passages }) => passages).length).toBeGreaterThan(50);
  await ada.chatbot.remove({ id: guide, organizationId, permanently: true });
  const connections = site.connections();

  const { state, chatbotId, done, total } = await workshop.imported(file);
  expect(state).toBe('ready');
  expect(done).toBe(total);
  const id = chatbotId ?? '';
  expect(await retrievals(id)).toEqual(before.found);
  expect(site.connections()).toBe(connections);
  expect(await judgements(id)).toEqual(before.judged);

  const { chatbot } = await ada.chatbot.get({ id, organizationId });
  expect(chatbot).toMatchObject({ name: 'Guide', customInstructions: 'Draft.', version: 2, liveVersion: 1 });
  expect(chatbot.profilePhoto).not.toBe(before.agent.profilePhoto);
  expect((await fetch(product.url + chatbot.profilePhoto)).status).toBe(200);
  const knows = await knowledgeOf(id);
  const told = ({
    type,
    description,
    text,
    links,
    site,
    schedule,
    characters,
    chunks,
  }: (typeof knows)[number]) => ({
    type,
    description,
    text,
    links,
    site,
    schedule,
    characters,
    chunks,
  });
  expect(knows.map(told)).toEqual(knew.map(told));
  const { testSets } = await ada.testSet.list({ id, organizationId });
  expect(testSets).toMatchObject([{ name: 'Basics' }]);
  guide = id;
});

test('imported knowledge can be read again, and its raw files are there', async () => {
  const { allKnowledge } = await ada.knowledge.list({ id: guide });
  const files = allKnowledge.flatMap((item) => item.files);
  expect(files.map(({ name }) => name).toSorted()).toEqual(['fleet.xlsx', 'guide.docx']);
  const website = allKnowledge.find(({ type }) => type === 'website');
  await ada.knowledge.resync({ id: guide, knowledgeId: website?.id ?? '' });
  await expect.poll(() => workshop.statesOf(guide)).toEqual(allKnowledge.map(() => 'ready'));
});

test('the file names no person, no organization and no id', async () => {
  const text = await makeAgentFile.textOf(file);
  expect(text).not.toMatch(/\b(usr|org|agt|knw|src|chk|fil|mem|tst)_[0-9a-z]{26}\b/);
  expect(text).toContain('"format": "parley-agent"');
});

test('a duplicate is a separate agent of the same kind, under the given name', async () => {
  const { id } = (await ada.agentFile.duplicate({ id: guide, organizationId, name: 'Twin' })).import;
  const { state, chatbotId } = await workshop.settled(id);
  expect(state).toBe('ready');
  const { chatbot } = await ada.chatbot.get({ id: chatbotId ?? '', organizationId });
  expect(chatbot).toMatchObject({ name: 'Twin', customInstructions: 'Draft.' });
  expect(await retrievals(chatbot.id)).toEqual(await retrievals(guide));
  await ada.chatbot.remove({ id: guide, organizationId, permanently: true });
  expect((await fetch(product.url + chatbot.profilePhoto)).status).toBe(200);
  const { entries } = await ada.audit.list({ organizationId, action: 'agentFile.duplicate' });
  expect(entries).toMatchObject([{ targetId: chatbot.id, targetName: 'Twin' }]);
  guide = chatbot.id;
});

test('knowledge that is added while an agent is exported does not end up in another item', async () => {
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Growing' })).chatbot;
  const of = { id, organizationId };
  await ada.knowledge.create({ ...of, type: 'text', description: 'Old', text: 'Old.' });
  const { owner } = product.app.deps.db;
  /** It has locked the items, and waits to read their sources. */
  const isReading = async () => {
    const { rowCount } = await owner.query(
      `select from pg_locks waiting join pg_locks held using (pid)
        where waiting.relation = 'source'::regclass and not waiting.granted
          and held.relation = 'knowledge'::regclass and held.mode = 'RowShareLock'`,
    );
    return rowCount;
  };
  const added = newId('knowledge');
  const adding = await owner.connect();
  try {
    await adding.query('begin; lock table source in access exclusive mode');
    const exporting = workshop.exported(id);
    await expect.poll(isReading, { timeout: 30_000 }).toBe(1);
    await adding.query(
      `insert into knowledge (id, organization_id, agent_id, type, description) values ($1, $2, $3, 'text', 'New')`,
      [added, organizationId, id],
    );
    await adding.query(
      `insert into source (id, organization_id, agent_id, knowledge_id, kind, title) values ($1, $2, $3, $4, 'text', 'New')`,
      [newId('source'), organizationId, id, added],
    );
    await adding.query('commit');
    const lists = await makeAgentFile.partsOf(await exporting);
    const lines = lists
      .filter(({ name }) => /(items|sources)/.test(name))
      .map(({ content }) => String(content));
    expect(lines.map((text) => text.trim().split('\n').length)).toEqual([1, 1]);
  } finally {
    adding.release();
  }
});

test('a duplicate is closed to everybody the original is closed to, and behaves the same', async () => {
  const { id } = (await ada.chatbot.create({ organizationId, name: 'Secret' })).chatbot;
  await ada.chatbot.update({ id, organizationId, offersPerson: false });
  await ada.privacy.setRetention({ id, days: 30 });
  await ada.team.create({ organizationId, name: 'Insiders', agents: [id] });
  const outsider = await join(product, ada, 'olga', { organizationId, role: 'viewer' });
  const begun = (await ada.agentFile.duplicate({ id, organizationId })).import;
  const twin = (await workshop.settled(begun.id)).chatbotId ?? '';
  expect((await ada.chatbot.get({ id: twin, organizationId })).chatbot.offersPerson).toBe(false);
  expect((await ada.privacy.getRetention({ id: twin })).days).toBe(30);
  await expect(outsider.client.chatbot.get({ id: twin, organizationId })).rejects.toMatchObject({
    status: 404,
  });
});

test('an upload can be imported only by its creator, and only when complete', async () => {
  const uploadId = await tusOf(product, 'ada').begin(organizationId, file.length, 'agent.zip', 'agent');
  await expect(ada.agentFile.import({ organizationId, uploadId })).rejects.toMatchObject({
    status: 409,
    code: 'storage/upload-unfinished',
  });
  const bob = product.as('bob');
  const other = (await bob.organization.create({ name: 'Bobs' })).organization.id;
  await expect(bob.agentFile.import({ organizationId: other, uploadId })).rejects.toMatchObject({
    status: 404,
  });
  await expect(bob.agentFile.export({ id: guide, organizationId })).rejects.toMatchObject({ status: 404 });
  await expect(bob.agentFile.export({ id: guide, organizationId: other })).rejects.toMatchObject({
    status: 404,
  });
  await expect(bob.agentFile.duplicate({ id: guide, organizationId: other })).rejects.toMatchObject({
    status: 404,
  });
  const viewer = await join(product, ada, 'vera', { organizationId, role: 'viewer' });
  await expect(viewer.client.agentFile.export({ id: guide, organizationId })).rejects.toMatchObject({
    status: 403,
  });
  await expect(viewer.client.agentFile.duplicate({ id: guide, organizationId })).rejects.toMatchObject({
    status: 403,
  });
});

test('an upload for an agent may be larger than one for knowledge', async () => {
  const tus = tusOf(product, 'ada');
  const size = 200 * 1024 * 1024;
  await expect(tus.begin(organizationId, size, 'a.zip')).rejects.toThrow(/413/);
  await expect(tus.begin(organizationId, size, 'a.zip', 'agent')).resolves.toMatch(/^upl_/);
  await expect(tus.begin(organizationId, 2 * 1024 * 1024 * 1024, 'a.zip', 'agent')).rejects.toThrow(/413/);
});
