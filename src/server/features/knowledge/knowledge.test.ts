import { readFile } from 'node:fs/promises';
import { io } from 'socket.io-client';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  KNOWLEDGE_LISTED_MAX_CHARACTERS,
  type Knowledge,
  type KnowledgeProgress,
} from '../../../contract/knowledge.ts';
import { pdfOf, streamOf } from '../../../../test/fixtures/hostile.ts';
import { startSite, type Site } from '../../../../test/e2e/server.ts';
import { openSocket, outcomeOf } from '../../../../test/sockets.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { newId } from '../../id.ts';

let product: Product;
let site: Site;
let organizationId: string;
let id: string;

beforeAll(async () => {
  site = await startSite();
  product = await startProduct({ ssrfAllowedHosts: [site.host] });
  const ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  id = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await site.close();
});

async function settled(knowledgeId: string): Promise<Knowledge> {
  const read = async () => (await product.as('ada').knowledge.get({ id, knowledgeId })).knowledge;
  await expect.poll(async () => (await read()).progress.state, { timeout: 60_000 }).toMatch(/ready|failed/);
  return read();
}

async function add(
  input: Partial<Parameters<ReturnType<Product['as']>['knowledge']['create']>[0]>,
): Promise<Knowledge> {
  const { knowledge } = await product
    .as('ada')
    .knowledge.create({ id, organizationId, type: 'text', ...input });
  return settled(knowledge.id);
}

async function ask(text: string) {
  const bob = product.as('bob', 'guest');
  const { conversation } = await bob.chat.create({ chatbotId: id });
  return (await bob.chat.send({ id: conversation.id, text })).answer;
}

async function upload(path: string, name: string): Promise<string> {
  const { file } = await product
    .as('ada')
    .file.upload({ organizationId, media: new File([await readFile(path)], name) });
  return file.id;
}

test('a question asked right after an item was added is answered from it', async () => {
  const ada = product.as('ada');
  // The reader is running by then: on a busy machine, starting it alone takes longer than a person waits.
  await add({ text: 'The museum has a tower.' });
  const text = 'The cellar of the museum opens at a quarter to six.';
  const { knowledge } = await ada.knowledge.create({ id, organizationId, type: 'text', text });
  const answer = await ask('When does the cellar of the museum open?');
  expect(answer.citations.map(({ knowledgeId }) => knowledgeId)).toContain(knowledge.id);
});

test('a person who does not want to wait for reading can stop', async () => {
  const ada = product.as('ada');
  const reads = (await ada.chatbot.create({ organizationId, name: 'Reads' })).chatbot.id;
  await product.app.deps.db.owner.query(
    `insert into knowledge (id, organization_id, agent_id, type, description) values ($1, $2, $3, 'text', 'Long')`,
    [newId('knowledge'), organizationId, reads],
  );
  const { id: conversation } = (await ada.chat.create({ chatbotId: reads })).conversation;
  const asked = ada.chat.send({ id: conversation, text: 'When does the tower open?' });
  const began = performance.now();
  await expect
    .poll(async () => (await ada.chat.listMessages({ id: conversation })).messages.length)
    .toBeGreaterThan(0);
  await ada.chat.stop({ id: conversation });
  expect((await asked).answer).toMatchObject({ state: 'stopped', text: '' });
  expect(performance.now() - began).toBeLessThan(8000);
});

test('a text is found, and the answer cites it', async () => {
  const item = await add({
    description: 'Warranty',
    text: 'Every lamp has a warranty of 31 months from the day of delivery.',
  });
  expect(item).toMatchObject({
    description: 'Warranty',
    progress: { state: 'ready', done: 1, failed: 0, total: 1, error: null },
    chunks: 1,
  });
  const answer = await ask('How long is the warranty?');
  expect(answer.text).toContain('31 months');
  expect(answer.citations).toMatchObject([{ number: 1, title: 'Warranty', knowledgeId: item.id, url: null }]);
  expect(answer.citations[0]?.text).toContain('31 months');
});

test('a PDF is found with its page', async () => {
  const item = await add({
    type: 'file',
    files: [await upload('test/fixtures/libtasn1.pdf', 'libtasn1.pdf')],
  });
  expect(item).toMatchObject({
    progress: { state: 'ready' },
    files: [{ name: 'libtasn1.pdf', mediaType: 'application/pdf' }],
  });
  expect(item.chunks).toBeGreaterThan(30);
  const answer = await ask('What does asn1Decoding do?');
  expect(answer.text).toMatch(/decod/i);
  const [citation] = answer.citations;
  expect(citation).toMatchObject({ title: 'libtasn1.pdf', knowledgeId: item.id });
  expect(citation?.page).toBeGreaterThan(5);
});

test('the rest of a PDF with a damaged page is found, and the item says what is missing', async () => {
  const drawing = `BT /F 9 Tf (${'The lantern is lit by seven. '.repeat(3)}) Tj ET`;
  const page = '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>';
  const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
  const pages = '<</Type/Pages/Kids[3 0 R 9 0 R]/Count 2>>';
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', pages, page, streamOf('', Buffer.from(drawing)), font];
  const media = new File([new Uint8Array(pdfOf(objects))], 'torn.pdf');
  const { file } = await product.as('ada').file.upload({ organizationId, media });
  const item = await add({ type: 'file', files: [file.id] });
  const error = 'Page 2 of this PDF could not be read and was left out.';
  expect(item).toMatchObject({ progress: { state: 'ready', failed: 0, error }, chunks: 1 });
});

test('a DOCX is found', async () => {
  const item = await add({ type: 'file', files: [await upload('test/fixtures/tables.docx', 'tables.docx')] });
  expect(item.progress.state).toBe('ready');
  expect(item.characters).toBeGreaterThan(0);
});

test('a page is found under its own title, with its address', async () => {
  const url = `http://${site.host}/zlib_how.html`;
  const item = await add({ type: 'website', links: [url] });
  expect(item).toMatchObject({ description: 'zlib Usage Example', progress: { state: 'ready' } });
  const answer = await ask('What buffer sizes should be used if the memory is available?');
  expect(answer.text).toContain('128K');
  expect(answer.citations[0]).toMatchObject({ title: 'zlib Usage Example', url });
});

test('a missing page and an unknown host fail with a reason and do not hold up the others', async () => {
  const item = await add({
    type: 'website',
    links: [
      `http://${site.host}/nothing.html`,
      'http://nothing.invalid/',
      `http://${site.host}/zlib_how.html`,
    ],
  });
  expect(item.progress).toMatchObject({ state: 'ready', done: 1, failed: 2, total: 3 });
  expect(item.progress.error).toBe('The site answered 404: the page does not exist.');
  const none = await add({ type: 'website', links: ['http://nothing.invalid/'] });
  expect(none.progress).toMatchObject({ state: 'failed', done: 0, failed: 1 });
});

test('an internal address is refused when saved, and nothing is added or changed', async () => {
  const ada = product.as('ada');
  const links = ['http://127.0.0.1:1/'];
  const refusal = { status: 400, code: 'egress/url-not-allowed' };
  const before = (await ada.knowledge.list({ id })).allKnowledge.length;
  await expect(ada.knowledge.create({ id, organizationId, type: 'website', links })).rejects.toMatchObject(
    refusal,
  );
  expect((await ada.knowledge.list({ id })).allKnowledge).toHaveLength(before);
});

test.each([
  ['a text without one', { type: 'text' as const }, 'description'],
  ['files without one', { type: 'file' as const }, 'files'],
  ['a website without an address', { type: 'website' as const }, 'links'],
])('%s is refused', async (_what, input, path) => {
  await expect(product.as('ada').knowledge.create({ id, organizationId, ...input })).rejects.toMatchObject({
    status: 400,
    errors: [{ path }],
  });
});

type Parts = Partial<Parameters<TestClient['knowledge']['create']>[0]> & { type: Knowledge['type'] };
const unfitting: [string, Parts, string][] = [
  ['a file in a text', { type: 'text', files: ['own'] }, 'files'],
  ['an address in a text', { type: 'text', links: ['https://a.example/'] }, 'links'],
  ['an address in a pair', { type: 'qa', text: 'A.', links: ['https://a.example/'] }, 'links'],
  ['a text in a file', { type: 'file', files: ['own'], text: 'Unread.' }, 'text'],
  ['a site in a pair', { type: 'qa', text: 'A.', site: { mode: 'domain' } }, 'site'],
  ['reading a text again', { type: 'text', schedule: 'daily' }, 'schedule'],
];

test.each(unfitting)('%s is refused, since it would never be read', async (_what, parts, path) => {
  const ada = product.as('ada');
  const { file } = await ada.file.upload({ organizationId, media: new File(['Mine.'], 'mine.txt') });
  const before = (await ada.knowledge.list({ id })).allKnowledge.length;
  const item = { description: 'Said.', ...parts, ...(parts.files && { files: [file.id] }) };
  await expect(ada.knowledge.create({ id, organizationId, ...item })).rejects.toMatchObject({
    status: 400,
    errors: [{ path }],
  });
  expect((await ada.knowledge.list({ id })).allKnowledge).toHaveLength(before);
});

test('somebody else’s file is not found', async () => {
  const eve = product.as('eve');
  const other = (await eve.organization.create({ name: 'Other' })).organization.id;
  const { file } = await eve.file.upload({
    organizationId: other,
    media: new File(['A secret.'], 'secret.txt'),
  });
  await expect(
    product.as('ada').knowledge.create({ id, organizationId, type: 'file', files: [file.id] }),
  ).rejects.toMatchObject({ status: 404 });
});

test('a changed text is known, its old words are forgotten, and a deleted item leaves nothing', async () => {
  const ada = product.as('ada');
  const item = await add({ description: 'The code word is rhubarb.' });
  expect((await ask('What is the code word?')).text).toContain('rhubarb');
  await ada.knowledge.update({
    id,
    organizationId,
    knowledgeId: item.id,
    description: 'The code word is quince.',
  });
  await settled(item.id);
  expect((await ask('What is the code word?')).text).toContain('quince');
  expect((await ask('What is the code word?')).text).not.toContain('rhubarb');

  const file = await add({ type: 'file', files: [await upload('test/fixtures/tables.docx', 'again.docx')] });
  for (const knowledgeId of [item.id, file.id])
    expect(await ada.knowledge.remove({ id, knowledgeId })).toEqual({ deleted: true });
  expect((await ask('What is the code word?')).text).not.toContain('quince');
  const client = new pg.Client({ connectionString: product.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ left: number }>(
    `select (select count(*) from source where knowledge_id = any($1)) + (select count(*) from index_block where knowledge_id = any($1))
       + (select count(*) from chunk where source_id not in (select id from source))
       + (select count(*) from posting where block_id not in (select id from index_block))
       + (select count(*) from file where name = 'again.docx') as left`,
    [[item.id, file.id]],
  );
  await client.end();
  expect(Number(rows[0]?.left)).toBe(0);
  await expect
    .poll(
      () =>
        product.app.deps.storage.get(file.files[0]?.id ?? '').then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 10_000 },
    )
    .toBe('gone');
});

test('the second of two concurrent edits of one field is refused, and told the current value', async () => {
  const ada = product.as('ada');
  const { id: knowledgeId, ...seen } = await add({ description: 'Hours', text: 'Open from nine.' });
  const of = { id, organizationId, knowledgeId };
  const { description, text } = seen;
  await ada.knowledge.update({ ...of, text: 'Open from ten.', seen: { description, text } });
  await expect(
    ada.knowledge.update({ ...of, text: 'Open from eleven.', seen: { description, text } }),
  ).rejects.toMatchObject({
    status: 409,
    code: 'resource/conflict',
    errors: [{ path: 'text', now: 'Open from ten.' }],
  });
  // Another field, or a deliberate change.
  await ada.knowledge.update({ ...of, description: 'Opening hours', seen: { description, text } });
  await ada.knowledge.update({ ...of, text: 'Open from eleven.', seen: { text: 'Open from ten.' } });
  expect((await ada.knowledge.get({ id, knowledgeId })).knowledge).toMatchObject({
    description: 'Opening hours',
    text: 'Open from eleven.',
  });
});

test('in knowledge-base mode an unsupported question gets the fallback and no model is called', async () => {
  const ada = product.as('ada');
  await ada.chatbot.update({
    id,
    organizationId,
    enableKnowledgeBaseMode: true,
    fallbackMessage: 'That I do not know.',
  });
  const answer = await ask('Wer gewann die Weltmeisterschaft im Curling?');
  expect(answer).toMatchObject({ text: 'That I do not know.', state: 'complete', citations: [] });

  // Without a message of its own, an agent says so in its language.
  await ada.chatbot.update({ id, organizationId, fallbackMessage: '', language: 'de-AT' });
  expect((await ask('Wer gewann die Weltmeisterschaft im Rodeln?')).text).toMatch(
    /^Dazu finde ich .* keine Antwort\.$/,
  );
  await ada.chatbot.update({ id, organizationId, enableKnowledgeBaseMode: false, language: null });
});

test('progress is sent by socket to those who may see the agent, and to nobody else', async () => {
  const watch = async (name: string) => {
    const { idToken } = await product.sessionOf(name);
    const socket = io(product.url, { auth: { idToken }, transports: ['websocket'], reconnection: false });
    const seen: KnowledgeProgress[] = [];
    socket.on(
      'knowledge.progress.update.result',
      ({ knowledgeProgress }: { knowledgeProgress: KnowledgeProgress }) => seen.push(knowledgeProgress),
    );
    const isWatching = (await socket.timeout(5000).emitWithAck('agent.watch', id)) as boolean;
    return { socket, seen, isWatching };
  };
  const ada = await watch('ada');
  const eve = await watch('eve');
  expect([ada.isWatching, eve.isWatching]).toEqual([true, false]);
  const item = await add({ description: 'Something to watch.' });
  await expect
    .poll(() => ada.seen.at(-1)?.items.find(({ knowledgeId }) => knowledgeId === item.id)?.state)
    .toBe('ready');
  const { knowledgeProgress } = await product.as('ada').knowledge.progress({ id });
  expect(ada.seen.at(-1)).toEqual(knowledgeProgress);
  expect(eve.seen).toEqual([]);
  ada.socket.close();
  eve.socket.close();
});

test('progress is sent unasked to every socket of those who may see the agent', async () => {
  const hear = async (name: string) => {
    const { idToken } = await product.sessionOf(name);
    const socket = openSocket(product, {}, { 'id-token': idToken });
    expect(await outcomeOf(socket)).toBe('connected');
    const heard: KnowledgeProgress[] = [];
    socket.on(
      'knowledge.progress.update.result',
      ({ knowledgeProgress }: { knowledgeProgress: KnowledgeProgress }) => heard.push(knowledgeProgress),
    );
    return { socket, heard };
  };
  const [ada, eve] = [await hear('ada'), await hear('eve')];
  const item = await add({ description: 'Something to hear of.' });
  await expect
    .poll(() => ada.heard.at(-1)?.items.find(({ knowledgeId }) => knowledgeId === item.id)?.state)
    .toBe('ready');
  expect(ada.heard.every(({ agentId }) => agentId === id)).toBe(true);
  expect(eve.heard).toEqual([]);
  ada.socket.close();
  eve.socket.close();
});

test('a socket without a valid token is refused', async () => {
  const socket = io(product.url, {
    auth: { idToken: 'forged' },
    transports: ['websocket'],
    reconnection: false,
  });
  const error = await new Promise<Error>((resolve) => socket.on('connect_error', resolve));
  expect(error.message).toBe('auth/unauthenticated');
  socket.close();
});

test('a listed item omits its texts, which its own call returns', async () => {
  const ada = product.as('ada');
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Well read' });
  const make = async (input: { type: 'text' | 'qa'; description: string; text?: string }) =>
    (await ada.knowledge.create({ id: chatbot.id, organizationId, ...input })).knowledge;
  const long = `Opening times\n${'🚲'.repeat(KNOWLEDGE_LISTED_MAX_CHARACTERS)}`;
  const unnamed = await make({ type: 'text', description: long });
  const pair = await make({ type: 'qa', description: 'Is it open?', text: 'Until six.' });

  const { allKnowledge } = await ada.knowledge.list({ id: chatbot.id });
  const [listedPair, listedText] = allKnowledge;
  expect(listedPair).toMatchObject({ id: pair.id, description: 'Is it open?' });
  for (const listed of allKnowledge) expect(listed).not.toHaveProperty('text');
  // The cut doesn't split a surrogate pair.
  const bicycles = '🚲'.repeat(KNOWLEDGE_LISTED_MAX_CHARACTERS - 'Opening times\n…'.length);
  expect(listedText?.description).toBe(`Opening times\n${bicycles}…`);

  const read = async (knowledgeId: string) =>
    (await ada.knowledge.get({ id: chatbot.id, knowledgeId })).knowledge;
  expect(await read(unnamed.id)).toMatchObject({ description: long, text: null });
  expect(await read(pair.id)).toMatchObject({ description: 'Is it open?', text: 'Until six.' });
});
