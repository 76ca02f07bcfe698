import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../test/product.ts';
import { forgetKeys } from './idempotency.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product.close());

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

test('fifty writes with one key have one effect and get the same answer', async () => {
  const ada = product.as('ada');
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => ada.organization.create({ name: 'Acme' }, withKey('one'))),
  );
  for (const result of results) {
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 409, code: 'idempotency/in-progress' });
  }
  const again = await ada.organization.create({ name: 'Acme' }, withKey('one'));
  const { organizations } = await ada.organization.list();
  expect(organizations.map(({ id }) => id)).toEqual([again.organization.id]);
});

test('fifty presses of the same button create one agent', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Pressed' })).organization.id;
  const input = { organizationId, name: 'Helper' };
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => ada.chatbot.create(input, withKey('pressed'))),
  );
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ status: 409, code: 'idempotency/in-progress' });
  const again = await ada.chatbot.create(input, withKey('pressed'));
  const { chatbots } = await ada.chatbot.list({ organizationId });
  expect(chatbots.map(({ id }) => id)).toEqual([again.chatbot.id]);
});

test('a different input under the same key is refused', async () => {
  const ada = product.as('ada');
  await ada.organization.create({ name: 'First' }, withKey('two'));
  await expect(ada.organization.create({ name: 'Second' }, withKey('two'))).rejects.toMatchObject({
    status: 422,
    code: 'idempotency/mismatch',
  });
});

test('a file resent under its key is stored once, and a different one is refused', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Files' })).organization.id;
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  const { id } = (await ada.chat.create({ chatbotId: chatbot.id })).conversation;
  const add = (text: string) =>
    ada.attachment.add({ id, media: new File([text], 'a.txt', { type: 'text/plain' }) }, withKey('file'));
  const { attachment } = await add('One');
  expect((await add('One')).attachment.id).toBe(attachment.id);
  await expect(add('Two')).rejects.toMatchObject({ status: 422, code: 'idempotency/mismatch' });
});

test('a key belongs to one person', async () => {
  const first = await product.as('ada').organization.create({ name: 'Mine' }, withKey('three'));
  const second = await product.as('bob').organization.create({ name: 'Mine' }, withKey('three'));
  expect(second.organization.id).not.toBe(first.organization.id);
});

test('a failure is not stored', async () => {
  const ada = product.as('ada', 'guest');
  await product.as('eve', 'guest').user.register({ name: 'Eve', username: 'taken-name' });
  await expect(
    ada.user.register({ name: 'Ada', username: 'taken-name' }, withKey('four')),
  ).rejects.toMatchObject({ status: 409 });
  await expect(
    ada.user.register({ name: 'Ada', username: 'free-name' }, withKey('four')),
  ).resolves.toMatchObject({ user: { username: 'free-name' } });
});

test('a key that is too long is a 400', async () => {
  await expect(
    product.as('ada').organization.create({ name: 'X' }, withKey('x'.repeat(256))),
  ).rejects.toMatchObject({ status: 400 });
});

test('a dead process’s request can be retried if nothing was done; a living one’s cannot', async () => {
  const ada = product.as('ada');
  const make = (key: string) => ada.organization.create({ name: 'Again' }, withKey(key));
  const underWay = async (key: string, runner: number, secondsAgo: number, isWritten = false) => {
    const { organization } = await make(key);
    await product.app.deps.db.owner.query(
      `update idempotency_key set answer = null, written = $4, runner = $2, created_at = now() - make_interval(secs => $3)
        where key = $1`,
      [key, runner, secondsAgo, isWritten],
    );
    return organization.id;
  };
  const first = await underWay('of-the-dead', 1, 4);
  await underWay('of-the-living', product.app.deps.runner.id, 3600);
  await underWay('just-begun', 1, 0);
  expect((await make('of-the-dead')).organization.id).not.toBe(first);
  await underWay('done-by-the-dead', 1, 4, true);
  await expect(make('done-by-the-dead')).rejects.toMatchObject({
    status: 409,
    code: 'idempotency/answer-lost',
  });
  await expect(make('of-the-living')).rejects.toMatchObject({ code: 'idempotency/in-progress' });
  await expect(make('just-begun')).rejects.toMatchObject({ code: 'idempotency/in-progress' });
});

test('a key and its stored answer are deleted after a day', async () => {
  const { db } = product.app.deps;
  const ada = product.as('ada');
  const left = () =>
    db.owner
      .query<{ key: string }>(`select key from idempotency_key where key like 'kept-%'`)
      .then(({ rows }) => rows.map(({ key }) => key));
  await ada.organization.create({ name: 'Old' }, withKey('kept-old'));
  await ada.organization.create({ name: 'New' }, withKey('kept-new'));
  await db.owner.query(
    `update idempotency_key set created_at = created_at - interval '24 hours' where key = 'kept-old'`,
  );
  await forgetKeys(db);
  expect(await left()).toEqual(['kept-new']);
});
