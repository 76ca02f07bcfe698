import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/browser.ts';
import { startProduct, type Product, type TestClient } from '../../../../test/product.ts';
import { buy, connectAccount, pack, sell } from '../../../../test/selling.ts';
import { bearing, visit } from '../../../../test/visit.ts';

let product: Product;
let ada: TestClient;
let organizationId: string;
beforeAll(async () => {
  product = await startProduct();
  ada = product.as('ada');
  organizationId = (await ada.organization.create({ name: 'Acme' })).organization.id;
  await connectAccount(product, ada, organizationId);
});
afterAll(() => product.close());

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await product.app.deps.db.owner.query<Row>(sql, values)).rows;

async function shop() {
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Helper' });
  const { id } = await sell(ada, { organizationId, agentId: chatbot.id }, pack(9));
  return { agentId: chatbot.id, id };
}

const held = async (client: TestClient, chatbotId: string) =>
  (await client.purchase.standing({ chatbotId })).entitlements.map(({ creditsLeft }) => creditsLeft);

async function customerOf(purchaseId: string): Promise<string> {
  const [row] = await query<{ id: string }>('select customer_id as id from purchase where id = $1', [
    purchaseId,
  ]);
  return row?.id ?? '';
}

test('a guest keeps their purchases on signing in, even to an existing account', async () => {
  const { agentId, id } = await shop();
  const person = await openBrowser(product).signIn('returning@example.com');
  const browser = openBrowser(product);
  browser.adopt(await browser.client.identity.signInAsGuest());
  const bought = await buy(product, browser.client, id);
  const { user } = await browser.signIn('returning@example.com');
  expect(user.uid).toBe(person.user.uid);
  expect(await held(browser.client, agentId)).toEqual([9]);
  expect((await browser.client.purchase.get({ id: bought.id })).purchase.state).toBe('paid');
  expect((await browser.client.purchase.list({})).purchases).toHaveLength(1);
});

test('a person takes over what they had as a visitor, once, with that visitor’s token', async () => {
  const { agentId, id } = await shop();
  const { token } = await visit(product, agentId, {});
  const visitor = bearing(product, token);
  const bought = await buy(product, visitor, id);
  const { conversation } = await visitor.chat.create({ chatbotId: agentId, text: 'Hello?' });
  const browser = openBrowser(product);
  await browser.signIn('visitor@example.com');
  const { client } = browser;
  await Promise.all([1, 2, 3].map(() => client.purchase.upgrade({ accessToken: token })));
  expect(await held(client, agentId)).toEqual([9]);
  expect(await held(visitor, agentId)).toEqual([]);
  expect((await client.chat.get({ id: conversation.id })).conversation.id).toBe(conversation.id);
  await expect(visitor.chat.get({ id: conversation.id })).rejects.toMatchObject({ status: 404 });
  await client.purchase.upgrade({ accessToken: token, stripeConnectCustomerId: await customerOf(bought.id) });
  expect(await held(client, agentId)).toEqual([9]);
});

test('a visitor’s messages in their room, and their account at a service, become the person’s too', async () => {
  const { agentId } = await shop();
  const { tool } = await ada.tool.create({ organizationId, agentId, name: 'Bookings' });
  const { token, visitorId } = await visit(product, agentId, {});
  const visitor = bearing(product, token);
  const { id } = (await visitor.chat.create({ chatbotId: agentId, kind: 'game', title: 'Quiz' }))
    .conversation;
  await query(
    `insert into tool_account (id, organization_id, tool_id, user_id, tokens)
     select 'tac_of_visitor', $1, $2, user_id, 'sealed' from visitor where id = $3`,
    [organizationId, tool.id, visitorId],
  );
  await query(
    `insert into message (id, organization_id, conversation_id, role, text, state, sequence, author_id)
     select 'msg_01jd0000000000000000000000', $1, $2, 'user', 'Hello?', 'complete', 1, user_id from visitor where id = $3`,
    [organizationId, id, visitorId],
  );
  const { client, signIn } = openBrowser(product);
  const { user } = await signIn('player@example.com');
  await client.purchase.upgrade({ accessToken: token });
  const { messages } = await client.chat.listMessages({ id });
  expect(messages.map(({ author }) => author?.id)).toEqual([user.uid]);
  expect(await query('select user_id as id from tool_account where tool_id = $1', [tool.id])).toEqual([
    { id: user.uid },
  ]);
});

test('a person takes over what they had as a guest, and the guest ends', async () => {
  const { agentId, id } = await shop();
  const guest = openBrowser(product);
  const { idToken } = await guest.client.identity.signInAsGuest();
  const asGuest = bearing(product, idToken);
  const bought = await buy(product, asGuest, id);
  const { client, signIn } = openBrowser(product);
  await signIn('was-guest@example.com');
  const stripeConnectCustomerId = await customerOf(bought.id);
  await client.purchase.upgrade({ accessToken: idToken, stripeConnectCustomerId });
  expect(await held(client, agentId)).toEqual([9]);
  await expect(asGuest.purchase.list({})).rejects.toMatchObject({ status: 401 });
});

test('another customer, another token or no sign-in changes nothing', async () => {
  const { agentId, id } = await shop();
  const rich = await visit(product, agentId, {});
  const bought = await buy(product, bearing(product, rich.token), id);
  const customer = await customerOf(bought.id);
  const poor = await visit(product, agentId, {});
  const mallory = openBrowser(product);
  const session = await mallory.signIn('mallory@example.com');
  const { upgrade } = mallory.client.purchase;
  // Somebody else's customer with the caller's own token.
  await expect(upgrade({ accessToken: poor.token, stripeConnectCustomerId: customer })).rejects.toMatchObject(
    { status: 404 },
  );
  await expect(
    upgrade({ accessToken: rich.token, stripeConnectCustomerId: 'cus_made_up' }),
  ).rejects.toMatchObject({ status: 404 });
  for (const accessToken of ['none', session.idToken, customer, `${rich.token}x`])
    await expect(upgrade({ accessToken, stripeConnectCustomerId: customer })).rejects.toMatchObject({
      status: 400,
    });
  const other = await openBrowser(product).signIn('victim@example.com');
  await expect(upgrade({ accessToken: other.idToken })).rejects.toMatchObject({ status: 400 });
  await expect(
    product.as('a guest', 'guest').purchase.upgrade({ accessToken: rich.token }),
  ).rejects.toMatchObject({ status: 403 });
  expect(await held(mallory.client, agentId)).toEqual([]);
  expect(await held(bearing(product, rich.token), agentId)).toEqual([9]);
});
