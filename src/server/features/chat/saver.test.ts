import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';

const WORDS = Array.from({ length: 20 }, (_, index) => `word${index} `);

let product: Product;
let provider: Provider;
let database: pg.Client;

beforeAll(async () => {
  provider = await startProvider({ pieces: WORDS, betweenPiecesMs: 150 });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  database = new pg.Client({ connectionString: product.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await product.close();
  await provider.close();
});

/** For each organization two answers start to stream, both from the same agent. */
async function ask(owner: string): Promise<{ answers: Promise<unknown>[] }> {
  const ada = product.as(owner);
  const { organization } = await ada.organization.create({ name: `Of ${owner}` });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const answers = [1, 2].map(async () => {
    const { conversation } = await ada.chat.create({ chatbotId: chatbot.id });
    const { answer } = await ada.chat.send({ id: conversation.id, text: 'Say many words.' });
    return answer;
  });
  return { answers };
}

async function stored(): Promise<{ id: string; text: string; state: string }[]> {
  const found = await database.query(
    `select id, text, state from message where role = 'assistant' order by created_at, id`,
  );
  return found.rows;
}

test('partial answers are saved while they stream, and one stopped elsewhere stops alone', async () => {
  const { answers: first } = await ask('ada');
  const { answers: second } = await ask('bob');
  await expect
    .poll(async () => (await stored()).filter(({ text }) => text.startsWith('word0 ')).length, {
      timeout: 10_000,
    })
    .toBe(4);
  const [one] = await stored();
  // The way another process does it.
  await database.query(`update message set state = 'stopped' where id = $1`, [one?.id]);
  await Promise.all([...first, ...second]);

  const after = await stored();
  expect(after.map(({ state }) => state).toSorted()).toEqual(['complete', 'complete', 'complete', 'stopped']);
  for (const { id, text, state } of after) {
    if (state === 'complete') expect(text).toBe(WORDS.join(''));
    else expect({ id, isPart: WORDS.join('').startsWith(text) }).toEqual({ id: one?.id, isPart: true });
    if (state === 'stopped') expect(text.length).toBeLessThan(WORDS.join('').length);
  }
});

test('a locked answer does not keep others from being stored', async () => {
  const { answers } = await ask('cleo');
  const started = async () => (await stored()).filter(({ state }) => state === 'streaming');
  await expect.poll(async () => (await started()).length).toBe(2);
  const [held, other] = await started();
  await database.query('begin');
  await database.query('select id from message where id = $1 for update', [held?.id]);
  const before = other?.text.length ?? 0;
  await expect
    .poll(async () => (await stored()).find(({ id }) => id === other?.id)?.text.length)
    .toBeGreaterThan(before);
  await database.query('rollback');
  await Promise.all(answers);
  expect((await stored()).filter(({ state }) => state !== 'complete' && state !== 'stopped')).toEqual([]);
});
