import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';

/** An answer whose final state the database refused for so long that it was abandoned. */

let product: Product;
let ada: TestClient;

beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await product.close();
});

const owner = () => product.app.deps.db.owner;

/** As with a full disk: questions are still accepted, but final states of answers aren't. */
async function refuseEnds(): Promise<void> {
  await owner().query(`
    create function refuse_end() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger refuse_end before update on message for each row
      when (new.runner is null and old.runner is not null) execute function refuse_end()`);
}

test('an abandoned answer frees its conversation as soon as the database accepts writes again', async () => {
  const { organization } = await ada.organization.create({ name: 'Acme' });
  const { chatbot } = await ada.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  const { id } = (await ada.chat.create({ chatbotId: chatbot.id })).conversation;
  await refuseEnds();
  const said = vi.spyOn(product.app.deps.log, 'warn');
  const asked = ada.chat.send({ id, text: 'Hello?' }).catch((error: unknown) => error);
  await expect.poll(() => said.mock.calls.join()).toContain('could not be stored yet');
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 121_000);
  expect(await asked).toMatchObject({ status: 503 });
  // A search for lost answers runs into the same problem.
  await expect.poll(() => said.mock.calls.join()).toContain('a sweep failed');
  expect(await ada.chat.send({ id, text: 'And now?' }).catch((error: unknown) => error)).toMatchObject({
    code: 'chat/busy',
  });

  await owner().query('drop trigger refuse_end on message; drop function refuse_end()');
  await expect
    .poll(async () => (await ada.chat.listMessages({ id })).messages[1])
    .toMatchObject({ state: 'failed', error: 'The answer could not be stored.' });
  expect((await ada.chat.send({ id, text: 'And now?' })).answer).toMatchObject({ state: 'complete' });
});
