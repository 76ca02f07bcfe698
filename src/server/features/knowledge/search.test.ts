import { readdir, readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts';
import { makeTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { connect, type OpenDatabase } from '../../db/open.ts';
import { source } from '../../db/schema/knowledge.ts';
import { newId } from '../../id.ts';
import { createLog } from '../../log.ts';
import { analyseNow, withBlocks } from './index/analyse.ts';
import { indexSources, unindexSources } from './index/index-sources.ts';
import type { ItemKey } from './keys.ts';
import { readerIn, retrieve, search } from './search.ts';

let testDatabase: TestDatabase;
let open: OpenDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  open = await connect(testDatabase.url, { databasePoolSize: 4 }, createLog({ logLevel: 'silent' }));
});

afterAll(async () => {
  await open.close();
  await testDatabase.drop();
});

interface Text {
  title: string;
  text: string;
}

async function makeItem(): Promise<ItemKey> {
  const item = {
    organizationId: newId('organization'),
    agentId: newId('agent'),
    knowledgeId: newId('knowledge'),
  };
  const { owner } = open.database;
  await owner.query(
    `insert into organization (id, name, profile_photo, created_by) values ($1, '', '', '')`,
    [item.organizationId],
  );
  await owner.query(
    `insert into agent (id, organization_id, name, handle, profile_photo, appearance, conversation_starters, model_settings)
     values ($1, $2, '', $1, '', '{}', '[]', '{}')`,
    [item.agentId, item.organizationId],
  );
  await owner.query(
    `insert into knowledge (id, organization_id, agent_id, type, description) values ($1, $2, $3, 'text', '')`,
    [item.knowledgeId, item.organizationId, item.agentId],
  );
  return item;
}

async function addTexts(item: ItemKey, texts: Text[]): Promise<string[]> {
  const rows = texts.map((text) => ({ ...text, ...item, id: newId('source'), kind: 'text' as const }));
  const ids = rows.map(({ id }) => id);
  await open.database.in(item, async (tx) => {
    await tx.insert(source).values(rows);
    await indexSources(tx, item, ids);
  });
  return ids;
}

const ask = (item: ItemKey, question: string, limit = 10) =>
  open.database.in(item, (tx) => search(readerIn(tx, item), question, { limit }));
const titles = async (item: ItemKey, question: string) =>
  (await ask(item, question)).passages.map(({ title }) => title);

async function count(item: ItemKey) {
  const { rows } = await open.database.owner.query<
    Record<'chunks' | 'postings' | 'blocks' | 'counted', number>
  >(
    `select (select count(*)::int from chunk where agent_id = $1) as chunks, (select count(*)::int from posting where agent_id = $1) as postings,
       count(*)::int as blocks, coalesce(sum(chunk_count), 0)::int as counted from index_block where agent_id = $1`,
    [item.agentId],
  );
  return rows[0];
}

const shop: Text[] = [
  {
    title: 'Refunds',
    text: 'We pay back the price of returned goods within 14 days after they have arrived at our warehouse.',
  },
  { title: 'Delivery', text: 'Parcels are delivered by bicycle in the city, and by train everywhere else.' },
  { title: 'Hours', text: 'The shop is open from nine to five, except on Sundays and on public holidays.' },
];

test('the passage with the answer comes first, with its location', async () => {
  const item = await makeItem();
  await addTexts(item, [
    ...shop,
    { title: 'Manual', text: '# Care\n\n## Washing\n\nWash it by hand in cold water.' },
  ]);
  const { passages, support } = await ask(item, 'How should I wash it?');
  expect(passages[0]).toMatchObject({
    title: 'Manual',
    headingPath: ['Care', 'Washing'],
    text: 'Wash it by hand in cold water.',
    page: null,
  });
  expect(support).toBe(1);
});

test('a question whose words are spread over passages still finds ten', async () => {
  const item = await makeItem();
  const words = [
    'apple',
    'pear',
    'cherry',
    'plum',
    'peach',
    'grape',
    'melon',
    'fig',
    'date',
    'olive',
    'lemon',
    'orange',
  ];
  await addTexts(
    item,
    words.map((word) => ({
      title: '',
      text: `The gardener was happy to see that the ${word} was ripe in the garden today.`,
    })),
  );
  expect((await ask(item, `Which of ${words.join(', ')} and bananas do you sell?`)).passages).toHaveLength(
    10,
  );
});

test('support measures how much of the question the knowledge covers', async () => {
  const item = await makeItem();
  await addTexts(item, shop);
  expect((await ask(item, 'Is the shop open on Sundays?')).support).toBeGreaterThan(0.9);
  expect((await ask(item, 'Who won the curling championship?')).support).toBe(0);
  expect((await ask(item, 'Is the shop for penguins?')).support).toBeLessThan(0.7);
  // Non-words don't lower support: a key, a heart, a tatweel.
  for (const more of ['9f86d081'.repeat(10), '\u2764\ufe0f', '\u0640\u0640'])
    expect((await ask(item, `Is the shop open on Sundays? ${more}`)).support).toBeGreaterThan(0.9);
});

test('knowledge in one language does not lower support for a question in another', async () => {
  const item = await makeItem();
  await addTexts(item, [
    ...shop,
    { title: 'Copper kettle', text: 'Ilse Brandt in Graz makes the copper kettle.' },
  ]);
  const alone = await ask(item, 'Who makes the copper kettle?');
  await addTexts(item, [
    {
      title: 'Wärmflasche',
      text: 'Die Wärmflasche aus Kupfer hält die ganze Nacht warm und wird in Wien gefertigt.',
    },
    {
      title: 'Versand',
      text: 'Wir versenden jeden Werktag, und die Lieferung dauert im Inland zwei bis drei Tage.',
    },
  ]);
  const beside = await ask(item, 'Who makes the copper kettle?');
  expect(alone.support).toBeGreaterThan(0.9);
  expect(beside.support).toBeGreaterThan(0.9);
  expect(beside.passages[0]?.title).toBe('Copper kettle');
});

test('a misspelled word finds what was meant', async () => {
  const item = await makeItem();
  await addTexts(item, shop);
  expect((await titles(item, 'warehose'))[0]).toBe('Refunds');
});

test('an agent knows several languages, and each question finds its own', async () => {
  const item = await makeItem();
  await addTexts(item, [
    ...shop,
    {
      title: 'Rückgabe',
      text: 'Die Rückerstattung wird innerhalb von vierzehn Tagen auf Ihr Bankkonto überwiesen, sobald die Ware eingetroffen ist.',
    },
    {
      title: '营业时间',
      text: '本店每天上午九点到下午五点营业，星期日和公共假期休息，欢迎大家光临选购商品。',
    },
  ]);
  expect((await titles(item, 'Wann wird die Erstattung überwiesen?'))[0]).toBe('Rückgabe');
  expect((await titles(item, '星期日营业吗？'))[0]).toBe('营业时间');
  expect((await titles(item, 'When is the shop open?'))[0]).toBe('Hours');
});

test('no question breaks the search', async () => {
  const item = await makeItem();
  await addTexts(item, shop);
  for (const question of [
    '',
    '   ',
    '???',
    'the of and',
    "'; drop table chunk; --",
    '%_\\',
    '😀',
    'x'.repeat(8000),
    'shop '.repeat(1500),
  ]) {
    expect((await ask(item, question)).support).toBeGreaterThanOrEqual(0);
  }
  expect((await ask(await makeItem(), 'Anything?')).passages).toEqual([]);
});

test('re-indexing leaves one set of passages, and replaces what has changed', async () => {
  const item = await makeItem();
  const ids = await addTexts(item, shop);
  const before = await count(item);
  await open.database.in(item, (tx) => indexSources(tx, item, ids));
  expect(await count(item)).toEqual(before);
  await open.database.owner.query(`update source set text = 'We never pay anything back.' where id = $1`, [
    ids[0],
  ]);
  await open.database.in(item, (tx) => indexSources(tx, item, ids.slice(0, 1)));
  expect(await titles(item, 'warehouse')).toEqual([]);
  expect(await titles(item, 'Sundays')).toEqual(['Hours']);
  expect(await count(item)).toMatchObject({ chunks: 3, counted: 3, blocks: 1 });
});

test('a rolled-back run leaves the index as it was', async () => {
  const item = await makeItem();
  const ids = await addTexts(item, shop);
  const before = await count(item);
  const broken = open.database.in(item, async (tx) => {
    await indexSources(tx, item, ids);
    throw new Error('killed');
  });
  await expect(broken).rejects.toThrow('killed');
  expect(await count(item)).toEqual(before);
});

test('blocks are analyzed while the item is unlocked, and again when their content has changed', async () => {
  const item = await makeItem();
  const ids = await addTexts(item, shop);
  const before = await count(item);
  const { owner } = open.database;
  const lock = 'select 1 from knowledge where id = $1 for update nowait';
  const wereThere: boolean[] = [];
  const interludes = [
    () => owner.query(`update source set text = 'We never pay anything back.' where id = $1`, [ids[0]]),
    () => Promise.resolve(),
  ];
  await withBlocks<void>(
    (work) =>
      open.database.in(item, work).catch(async (error: unknown) => {
        expect(await count(item)).toEqual(before);
        await owner.query(lock, [item.knowledgeId]);
        await interludes.shift()?.();
        throw error;
      }),
    async (tx, analyse) => {
      await tx.$client.query(lock, [item.knowledgeId]);
      await indexSources(tx, item, ids, async (texts) => {
        const block = await analyse(texts);
        wereThere.push(block !== undefined);
        return block;
      });
    },
  );
  expect(wereThere).toEqual([false, false, true]);
  expect(await titles(item, 'warehouse')).toEqual([]);
  expect(await titles(item, 'Sundays')).toEqual(['Hours']);
  expect(await count(item)).toMatchObject({ chunks: 3, counted: 3, blocks: 1 });
});

test('a failure while blocks are analyzed ahead fails once, and changes nothing', async () => {
  const item = await makeItem();
  const ids = await addTexts(item, shop);
  const before = await count(item);
  const broken = withBlocks<void>(
    (work) => open.database.in(item, work),
    async (tx, analyse) => {
      await indexSources(tx, item, ids, analyse);
      throw new Error('killed');
    },
  );
  await expect(broken).rejects.toThrow('killed');
  expect(await count(item)).toEqual(before);
});

test('however many blocks there are, none is analyzed in the transaction, and nothing stays on disk', async () => {
  const item = await makeItem();
  const texts = Array.from({ length: 20 }, (_, at) => ({ title: `Lamp ${at}`, text: `Lamp number ${at}.` }));
  const ids = await addTexts(item, texts);
  const folder = await makeTemporaryFolder('blocks');
  vi.stubEnv('TMPDIR', folder);
  const noMore = new AbortController();
  let tries = 0;
  await withBlocks<void>(
    (work) => open.database.in(item, work),
    async (tx, analyse) => {
      tries += 1;
      if (tries === 2) {
        expect(await readdir(folder)).toHaveLength(1);
        noMore.abort();
      }
      await unindexSources(tx, item, ids);
      for (const id of ids) await indexSources(tx, item, [id], analyse);
    },
    noMore.signal,
  );
  expect(tries).toBe(2);
  expect(await count(item)).toMatchObject({ chunks: 20, counted: 20, blocks: 20 });
  expect(await titles(item, 'Which lamp is number 13?')).toContain('Lamp 13');
  expect(await readdir(folder)).toEqual([]);
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('sources that shared blocks with removed ones are rewritten in blocks of normal size', async () => {
  const item = await makeItem();
  const page = (at: number) => ({
    title: `Page ${at}`,
    text: `Page ${at}.\n\n${'We open at nine. '.repeat(36_000)}`,
  });
  const blocks = [];
  for (const at of [0, 2, 4]) blocks.push(await addTexts(item, [page(at), page(at + 1)]));
  expect(await count(item)).toMatchObject({ blocks: 3 });
  const sizes: number[] = [];
  const going = blocks.map(([first = '']) => first);
  await open.database.in(item, (tx) =>
    unindexSources(tx, item, going, async (texts) => {
      sizes.push(texts.length);
      return analyseNow()(texts);
    }),
  );
  expect(sizes).toEqual([2, 1]);
  expect(await titles(item, 'Page 3')).toEqual(expect.not.arrayContaining(['Page 0', 'Page 2']));
});

test('removing a source leaves its neighbors, and deleting the item leaves nothing', async () => {
  const item = await makeItem();
  const ids = await addTexts(item, shop);
  await open.database.in(item, (tx) => unindexSources(tx, item, ids.slice(0, 1)));
  expect(await titles(item, 'warehouse parcels Sundays')).toHaveLength(2);
  await open.database.owner.query('delete from knowledge where id = $1', [item.knowledgeId]);
  expect(await count(item)).toEqual({ chunks: 0, postings: 0, blocks: 0, counted: 0 });
});

test('nothing of another agent or organization is found', async () => {
  const [ours, theirs] = [await makeItem(), await makeItem()];
  await addTexts(ours, shop);
  expect((await ask(theirs, 'warehouse')).passages).toEqual([]);
  const sneaking = { ...theirs, agentId: ours.agentId };
  expect((await ask(sneaking, 'warehouse')).passages).toEqual([]);
});

test('a context merges neighboring passages', async () => {
  const item = await makeItem();
  const text = await readFile(new URL('search.ts', import.meta.url), 'utf8');
  await addTexts(item, [{ title: 'search.ts', text }, ...shop]);
  const { passages } = await open.database.in(item, (tx) =>
    retrieve(readerIn(tx, item), 'expanded postings statistics search'),
  );
  expect(passages.length).toBeGreaterThan(0);
  for (const passage of passages.filter(({ title }) => title === 'search.ts')) {
    expect(text.slice(passage.offset, passage.offset + passage.text.length)).toBe(passage.text);
  }
});
