import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from '../../../../test/product.ts';

const MESSAGES = 8000;

let product: Product;

beforeAll(async () => {
  product = await startProduct({ databaseTimeoutSeconds: 2 });
});
afterAll(() => product.close());

test('a conversation of thousands of messages opens and is exported in little time', async () => {
  const ada = product.as('ada');
  const organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  const chatbotId = (await ada.chatbot.create({ organizationId, name: 'Helper' })).chatbot.id;
  const { id } = (await ada.chat.create({ chatbotId })).conversation;
  await product.app.deps.db.owner.query(
    `insert into message (id, organization_id, conversation_id, role, text, state, sequence, parent_id)
     select 'msg_' || to_char(n, 'fm00000000000000000000000000'), organization_id, id,
       case n % 2 when 1 then 'user' else 'assistant' end, 'Text ' || n, 'complete', n,
       'msg_' || to_char(nullif(n - 1, 0), 'fm00000000000000000000000000')
     from conversation, generate_series(1, ${MESSAGES}) n where id = '${id}'`,
  );
  await product.app.deps.db.owner.query('analyze message');
  const { messages } = await ada.chat.listMessages({ id, count: 100, orderBy: 'desc' });
  expect(messages.map(({ text }) => text)).toContain(`Text ${MESSAGES}`);
  expect((await ada.history.export({ id, format: 'json' })).messages).toHaveLength(MESSAGES);
});
