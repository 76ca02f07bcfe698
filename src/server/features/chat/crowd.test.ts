import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';
import { startProvider, type Provider } from '../../../../test/stand-ins/provider.ts';
import { collect, openStream, textOf } from '../../../../test/stream.ts';

/** Many concurrent messages, which are started in order of arrival. */

let product: Product;
let provider: Provider;
let agentId: string;

beforeAll(async () => {
  provider = await startProvider({ pieces: ['Yes', '.'] });
  product = await startProduct({
    providers: { openai: provider.openai },
  });
  const ada = product.as('ada');
  const { organization } = await ada.organization.create({ name: 'Acme' });
  agentId = (await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' })).chatbot.id;
});
afterAll(async () => {
  await product.close();
  await provider.close();
});

const begin = async (count: number): Promise<string[]> => {
  const made = Array.from({ length: count }, () => product.as('ada').chat.create({ chatbotId: agentId }));
  return (await Promise.all(made)).map(({ conversation }) => conversation.id);
};

async function answerTo(id: string): Promise<string> {
  const body = { text: 'Well?' };
  const stream = await openStream(product, 'ada', `/v1/chat/${id}/message`, { body });
  return textOf(await collect(stream.events));
}

test('each of forty concurrent messages is answered, in its own conversation', async () => {
  const ids = await begin(40);
  expect(await Promise.all(ids.map(answerTo))).toEqual(ids.map(() => 'Yes.'));
  const { owner } = product.app.deps.db;
  const { rows } = await owner.query(
    `select count(*)::int as messages, count(distinct conversation_id)::int as conversations
       from message where conversation_id = any($1) and state = 'complete'`,
    [ids],
  );
  expect(rows).toEqual([{ messages: 80, conversations: 40 }]);
});

test('messages that wait for a lock block nobody else', async () => {
  const [free = '', ...held] = await begin(7);
  const holder = await product.app.deps.db.owner.connect();
  try {
    await holder.query('begin');
    await holder.query('select from conversation where id = any($1) for update', [held]);
    const waiting = Promise.all(held.map(answerTo));
    await expect.poll(() => locksWaitedFor()).toBe(held.length);
    expect(await answerTo(free)).toBe('Yes.');
    expect(await locksWaitedFor()).toBe(held.length);
    await holder.query('commit');
    expect(await waiting).toEqual(held.map(() => 'Yes.'));
  } finally {
    holder.release();
  }
});

test('a transaction that only references a conversation, as one that reads its questions does, blocks nobody', async () => {
  const [id = ''] = await begin(1);
  expect(await answerTo(id)).toBe('Yes.');
  const holder = await product.app.deps.db.owner.connect();
  try {
    await holder.query('begin');
    // The lock a foreign key check takes on them.
    await holder.query(`select from conversation where id = $1 for key share`, [id]);
    await holder.query(`select from message where conversation_id = $1 for key share`, [id]);
    expect(await answerTo(id)).toBe('Yes.');
    expect(await answerTo(id)).toBe('Yes.');
  } finally {
    await holder.query('rollback');
    holder.release();
  }
});

/** Runs `at` when the write of a message commits. */
async function withCommits<T>(at: string, work: () => Promise<T>): Promise<T> {
  const { owner } = product.app.deps.db;
  await owner.query(`create function at_commit() returns trigger language plpgsql as $$ begin ${at}; return new; end $$;
    create constraint trigger at_commit after insert on message deferrable initially deferred
      for each row execute function at_commit()`);
  return work().finally(() => owner.query('drop function at_commit cascade'));
}

test('a model is called while its turn commits, and nothing is revealed before the commit', async () => {
  const [id = ''] = await begin(1);
  const holder = await product.app.deps.db.owner.connect();
  const asked = provider.requests.length;
  await withCommits('perform pg_advisory_xact_lock(72, 4)', async () => {
    await holder.query('select pg_advisory_lock(72, 4)');
    let isTold = false;
    const answer = answerTo(id).finally(() => (isTold = true));
    await expect.poll(() => provider.requests.length).toBe(asked + 1);
    await expect.poll(locksWaitedFor).toBe(1);
    expect((await product.as('ada').chat.listMessages({ id })).messages).toEqual([]);
    // Nor does another tab that follows the answer in progress.
    const followed = openStream(product, 'ada', `/v1/chat/${id}/stream`);
    const seen = followed.then(({ events }) => collect(events)).finally(() => (isTold = true));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isTold).toBe(false);
    await holder.query('select pg_advisory_unlock(72, 4)');
    expect(await answer).toBe('Yes.');
    expect(textOf(await seen)).toBe('Yes.');
  }).finally(() => holder.release());
  const { messages } = await product.as('ada').chat.listMessages({ id });
  expect(messages.map(({ state }) => state)).toEqual(['complete', 'complete']);
});

test('turns whose commit is rejected leave nothing, and the conversations continue', async () => {
  const ids = await begin(3);
  const send = (id: string) => product.as('ada').chat.send({ id, text: 'Well?' });
  const refused = await withCommits(`raise exception 'not now'`, () => Promise.allSettled(ids.map(send)));
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  for (const id of ids) {
    expect((await product.as('ada').chat.listMessages({ id })).messages).toEqual([]);
    await expect.poll(() => answerTo(id)).toBe('Yes.');
  }
});

async function locksWaitedFor(): Promise<number> {
  const { rows } = await product.app.deps.db.owner.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}
