import { afterAll, beforeAll, expect, test } from 'vitest';
import { embeddingAt, makeAgentFile, Workshop, type Part } from '../../../../test/agent-file.ts';
import { shopDocument } from '../../../../test/stand-ins/openapi-service.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { newId } from '../../id.ts';
import { fileNameOf } from '../file/file-name.ts';
import { fileTypeOf } from '../file/file-type.ts';
import { toolRestorer } from '../tool/restore.ts';
import { importAgent } from './import.job.ts';

/** A file can come from anywhere. Problems in it are reported, and nothing of it stays. */

let product: Product;
let provider: Provider;
let ada: TestClient;
let organizationId: string;
let workshop: Workshop;
let file: Buffer<ArrayBuffer>;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes [1].'] });
  product = await startProduct({ embedding: embeddingAt(provider.baseUrl) });
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  workshop = new Workshop(product, 'ada', organizationId);
  const guide = await workshop.furnish();
  await workshop.equip(guide, shopDocument('https://shop.example.com'));
  file = await workshop.exported(guide);
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const changed = (part: string, change: (text: string) => string) => (parts: Part[]) =>
  parts.map((each) => (each.name === part ? { ...each, content: change(String(each.content)) } : each));
const with_ = (extra: Part) => (parts: Part[]) => [...parts, extra];
const sources = 'knowledge/sources.jsonl';
const passages = 'knowledge/passages.jsonl';
const manifest = 'parley-agent.json';
const tools = 'tools/tools.jsonl';
const operations = 'tools/operations.jsonl';
const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;

const hostile: [what: string, change: (parts: Part[]) => Part[], says: RegExp][] = [
  ['a path out of the archive', with_({ name: '../evil.txt', content: 'x' }), /damaged|does not belong/],
  ['an absolute path', with_({ name: '/etc/passwd', content: 'x' }), /damaged|does not belong/],
  ['an unknown part', with_({ name: 'knowledge/more.sh', content: 'x' }), /does not belong/],
  ['a part twice', (parts) => [...parts, ...parts.slice(0, 1)], /appears twice/],
  ['an archive in it', with_({ name: 'knowledge/files/000001.zip/x', content: 'x' }), /does not belong/],
  [
    'a bomb',
    with_({ name: 'knowledge/files/000099.txt', content: Buffer.alloc(64 * 1024 * 1024) }),
    /more than/,
  ],
  ['a size that is not true', changed(manifest, (text) => text), /./],
  [
    'an encrypted part',
    (parts) => parts.map((each, at) => (at === 1 ? { ...each, flags: 1 } : each)),
    /compressed/,
  ],
  ['no manifest', (parts) => parts.filter(({ name }) => name !== manifest), /missing/],
  [
    'a newer format',
    changed(manifest, (text) => text.replace('"version": 1', '"version": 2')),
    /newer Parley/,
  ],
  ['another format', changed(manifest, (text) => text.replace('parley-agent', 'other')), /format/],
  ['a manifest that is no JSON', changed(manifest, () => '{'), /JSON/],
  [
    'an unknown field of the agent',
    changed(manifest, (text) => text.replace('"name":', '"organizationId": "x", "name":')),
    /organizationId|nrecognized/,
  ],
  [
    'a photo that is not in it',
    changed(manifest, (text) => text.replace(/images\/[0-9a-f]{32}/g, `images/${'0'.repeat(32)}`)),
    /missing/,
  ],
  [
    'a photo of somebody here',
    changed(manifest, (text) => text.replace(/images\/[0-9a-f]{32}\.webp/, `/images/${'0'.repeat(32)}.webp`)),
    /profilePhoto/,
  ],
  [
    'a source of no item',
    changed(sources, (text) => text.replace('"item":0', '"item":999')),
    /item 999 doesn’t exist/,
  ],
  [
    'a source with an unknown field',
    changed(sources, (text) => text.replace('"item":0', '"id":"src_1","item":0')),
    /line 1/,
  ],
  [
    'a source with a script as its address',
    changed(sources, (text) => text.replace('"url":null', '"url":"javascript:alert(1)"')),
    /http/,
  ],
  ['a text with NUL', changed(sources, (text) => text.replace('Rules', 'R\\u0000')), /NUL/],
  ['a text with half a character', changed(sources, (text) => text.replace('Rules', 'R\\ud800')), /broken/],
  ['a raw file that is missing', (parts) => parts.filter(({ name }) => !name.endsWith('.docx')), /missing/],
  [
    'a raw file of another kind',
    (parts) =>
      parts.map((each) => (each.name.endsWith('.docx') ? { ...each, content: 'MZ\u0000\u0001' } : each)),
    /files\/000001/,
  ],
  [
    'a picture that is none',
    (parts) => parts.map((each) => (each.name.startsWith('images/') ? { ...each, content: '<svg/>' } : each)),
    /images\//,
  ],
  [
    'a passage of no source',
    changed(passages, (text) => text.replace('"source":', '"source":9')),
    /not searched/,
  ],
  [
    'a passage twice',
    changed(passages, (text) => text.replaceAll('"ordinal":1,', '"ordinal":0,')),
    /appears twice/,
  ],
  ['a passage in no block', changed(passages, (text) => text.slice(text.indexOf('\n') + 1)), /no block/],
  [
    'passages that are missing',
    changed(passages, (text) => text.trimEnd().slice(0, text.trimEnd().lastIndexOf('\n'))),
    /missing/,
  ],
  [
    'a vector that is broken',
    changed(passages, (text) => text.replace(/"numbers":"[^"]+"/, '"numbers":"AAA="')),
    /vector/,
  ],
  [
    'a vector of what is no number',
    changed(passages, (text) => text.replace(/"numbers":"[^"]+"/, '"numbers":"AADAfw=="')),
    /vector/,
  ],
  ['a tool with a secret', changed(tools, (text) => text.replace('"name"', '"secret":"x","name"')), /secret/],
  [
    'a tool with a script as its address',
    changed(tools, (text) => text.replace('"serverUrl":"https:', '"serverUrl":"javascript:')),
    /http/,
  ],
  ['more tools than there may be', changed(tools, (text) => text.repeat(60)), /more than 100/],
  [
    'an operation of no tool',
    changed(operations, (text) => text.replace('"tool":1', '"tool":7')),
    /tool 7 doesn’t exist/,
  ],
  [
    'an operation twice',
    changed(operations, (text) => text.replace('"id":"createOrder"', '"id":"listOrders"')),
    /appears twice/,
  ],
  [
    'an operation without a method',
    changed(operations, (text) => text.replace('"method":"DELETE"', '"method":""')),
    /kind of tool/,
  ],
  [
    'a schema without end',
    changed(operations, (text) => text.replace('"inputSchema":{', `"inputSchema":{"x":${deep},`)),
    /schema/,
  ],
  [
    'a schema with NUL',
    changed(operations, (text) => text.replace('"inputSchema":{', '"inputSchema":{"x":"\\u0000",')),
    /schema/,
  ],
  ['lists that are no JSON', changed(sources, () => 'x\n'), /line 1/],
];

test.each(hostile)('%s is refused with an explanation and leaves nothing', async (what, change, says) => {
  const before = await workshop.inventory();
  const parts = change(await makeAgentFile.partsOf(file));
  const bytes = what === 'a size that is not true' ? makeAgentFile.lying(parts) : makeAgentFile.zip(parts);
  const { state, error, chatbotId } = await workshop.imported(bytes);
  expect([what, state, chatbotId]).toEqual([what, 'failed', null]);
  expect(error).toMatch(says);
  expect(await workshop.inventory()).toEqual(before);
});

test.each([
  ['nothing of an archive', Buffer.from('hello')],
  ['half an archive', 'half'],
] as const)('%s is not an agent', async (_what, bytes) => {
  const given = bytes === 'half' ? file.subarray(0, Math.floor(file.length / 2)) : bytes;
  const { state, error } = await workshop.imported(Buffer.from(given));
  expect(state).toBe('failed');
  expect(error).toMatch(/damaged/);
});

test('a file that was unpacked and packed again, with its folders, is imported', async () => {
  const around = ['knowledge/', 'knowledge/files/', '__MACOSX/', '__MACOSX/._images', '.DS_Store'];
  const parts = [...around.map((name) => ({ name, content: '' })), ...(await makeAgentFile.partsOf(file))];
  const { state, error } = await workshop.imported(makeAgentFile.zip(parts));
  expect([state, error]).toEqual(['ready', null]);
});

test('an import that dies after writing its bytes leaves none of them, and the next run makes one agent', async () => {
  const before = await workshop.inventory();
  const { db, jobs, storage } = product.app.deps;
  const uploadId = await workshop.uploaded(file);
  const importId = newId('agentImport');
  const { uid } = (await product.sessionOf('ada')).user;
  // The state after a killed process: keys recorded, some bytes written, no agent.
  const left = newId('file');
  await storage.put(left, Buffer.from('left behind'));
  await db.owner.query(
    `insert into agent_import (id, organization_id, upload_id, state, storage_keys, created_by, address)
     values ($1, $2, $3, 'reading', $4, $5, '127.0.0.1')`,
    [importId, organizationId, uploadId, JSON.stringify([left]), uid],
  );
  await db.in({ organizationId }, (tx) => jobs.enqueue(tx, 'agent.import', { organizationId, importId }));
  const { state, chatbotId } = await workshop.settled(importId);
  expect(state).toBe('ready');
  await expect
    .poll(
      () =>
        storage.get(left).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 10_000 },
    )
    .toBe('gone');
  expect(await workshop.inventory()).toMatchObject({ agents: (before.agents ?? 0) + 1 });
  await ada.chatbot.remove({ id: chatbotId ?? '', organizationId, permanently: true });
  expect(await workshop.inventory()).toEqual(before);
});

test('of two runs of one import, as after a silence, one makes the agent and the other leaves nothing', async () => {
  const before = await workshop.inventory();
  const { deps } = product.app;
  const { uid } = (await product.sessionOf('ada')).user;
  const importId = newId('agentImport');
  await deps.db.owner.query(
    `insert into agent_import (id, organization_id, upload_id, created_by, address) values ($1, $2, $3, $4, '127.0.0.1')`,
    [importId, organizationId, await workshop.uploaded(file), uid],
  );
  const run = importAgent(deps, {
    nameOf: fileNameOf,
    typeOf: fileTypeOf,
    restoreTools: toolRestorer(deps),
  });
  const { signal } = new AbortController();
  await Promise.allSettled([1, 2].map(() => run({ organizationId, importId }, signal)));
  const { state, chatbotId } = await workshop.read(importId);
  expect(state).toBe('ready');
  expect(await workshop.inventory()).toMatchObject({ agents: (before.agents ?? 0) + 1 });
  await ada.chatbot.remove({ id: chatbotId ?? '', organizationId, permanently: true });
  expect(await workshop.inventory()).toEqual(before);
});

test('an import that fails while writing rolls everything back', async () => {
  const before = await workshop.inventory();
  const { owner } = product.app.deps.db;
  // Makes the transaction's last statement fail.
  await owner.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
  );
  await owner.query(`create trigger refuse before insert on test_set for each row execute function refuse()`);
  const uploadId = await workshop.uploaded(file);
  const { id } = (await ada.agentFile.import({ organizationId, uploadId })).import;
  const stateNow = async () => (await ada.agentFile.getImport({ importId: id, organizationId })).import;
  await expect.poll(async () => (await stateNow()).done).toBeGreaterThan(0);
  await owner.query('drop trigger refuse on test_set');
  const { chatbotId } = await workshop.settled(id);
  await ada.chatbot.remove({ id: chatbotId ?? '', organizationId, permanently: true });
  expect(await workshop.inventory()).toEqual(before);
});
