import { expect, test, type Page } from '@playwright/test';
import { knowledgeIsRead } from './knowledge-read.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An agent is sold: its owner sets up an account, plans and a public page, and people find it, buy and chat. */

const ANSWER = 'We are open from nine to five.';

let server: Server;
test.use({ actionTimeout: 20_000 });
test.beforeAll(async () => {
  // All guests here share one address.
  const guests = { GUEST_CONVERSATIONS_PER_HOUR: '1000' };
  server = await Server.start({ SEED_DEMO: 'off', BILLING_MODE: 'off', ...guests });
});
test.afterAll(() => server.remove());

test('an owner connects an account, creates plans and publishes the page; guests buy each and chat; a refund ends it', async ({
  page,
  browser,
}) => {
  const { agentBase, signIn, client, agentId, organizationId } = await startOwner(server, 'ada');
  await signIn(page.context());
  const shown = { enableKnowledgeBaseMode: true, fallbackMessage: ANSWER };
  await client.chatbot.update({ id: agentId, organizationId, ...shown });

  await page.goto(`${agentBase}/pricing-plans`);
  await expect(page.getByText('No pricing plans yet')).toBeVisible();
  await expect(page.getByText('Not connected')).toBeVisible();
  await expectNothingGrave(page);
  await page.getByRole('button', { name: 'Connect account' }).click();
  await page.getByRole('button', { name: 'Everything is given' }).click();
  await expect(page).toHaveURL(`${agentBase}/pricing-plans`);
  await expect(page.getByText('Ready', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Add a code' }).click();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.getByLabel('Code', { exact: true }).fill('SPRING 20');
  await page.getByRole('button', { name: 'Create code' }).click();
  await expect(page.getByText('Letters, digits and hyphens only.')).toBeVisible();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.getByLabel('Code', { exact: true }).fill('SPRING-20');
  await page.getByLabel('Applies to', { exact: true }).selectOption('Some months');
  await expectNothingGrave(page);
  await page.getByRole('button', { name: 'Create code' }).click();
  await expect(page.getByRole('row', { name: /SPRING-20.*20%.*First 3 months.*Active/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add a code' })).toBeFocused();
  await expectNothingGrave(page);
  await page.getByRole('button', { name: 'End code SPRING-20' }).click();
  // A hasty Enter ends nothing.
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.getByRole('dialog').getByRole('button', { name: 'End code' }).click();
  await expect(page.getByRole('row', { name: /SPRING-20.*Ended/ })).toBeVisible();
  for (let number = 1; number <= 20; number += 1)
    await client.coupon.create({ organizationId, code: `MORE-${number}`, percentOff: number });
  await page.reload();
  await expect(page.getByRole('row', { name: /MORE-20 / })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search codes' }).fill('ring');
  await expect(page.getByRole('row', { name: /MORE-20 / })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /SPRING-20/ })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search codes' }).fill('');
  await expect(page.getByRole('searchbox', { name: 'Search codes' })).toBeFocused();
  await expect(page.getByRole('row', { name: /MORE-20 / })).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search codes' })).toBeFocused();
  await expect(page.getByRole('row', { name: /SPRING-20/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(page.getByRole('row', { name: /SPRING-20.*Ended/ })).toBeVisible();

  await makePlan(page, agentBase, { name: 'For good', kind: 'once', amount: '19' });
  await expectNothingGrave(page);
  await makePlan(page, agentBase, { name: 'Monthly', kind: 'recurring', amount: '9' });
  await makePlan(page, agentBase, { name: 'Ten answers', kind: 'pack', amount: '5', credits: '10' });
  await page.goto(`${agentBase}/pricing-plans`);
  await expect(page.getByRole('row', { name: /Ten answers.*\$5\.00.*For sale/ })).toBeVisible();
  await expectNothingGrave(page);

  await page.goto(`${agentBase}/storefront`);
  await page.getByRole('button', { name: 'Create storefront' }).click();
  await page.getByLabel('Headline').fill('Ask our museum');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Ask our museum' })).toBeVisible();
  await expectNothingGrave(page, { isTopOnly: true });
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  const { storefront } = await client.storefront.find({ agentId });
  const address = storefront?.url ?? '';

  for (const plan of ['For good', 'Monthly', 'Ten answers']) {
    const context = await browser.newContext();
    const guest = await context.newPage();
    await guest.goto(address);
    await expect(guest.getByRole('heading', { level: 1, name: 'Ask our museum' })).toBeVisible();
    if (plan === 'Monthly') await expectNothingGrave(guest);
    await guest.getByRole('link', { name: `Buy: ${plan}` }).click();
    await pay(guest);
    await expect(guest.getByRole('heading', { name: `Thank you. You have bought ${plan}.` })).toBeVisible({
      timeout: 20_000,
    });
    if (plan === 'Monthly') await expectNothingGrave(guest);
    await guest.getByRole('link', { name: 'Chat with Helper' }).click();
    await ask(guest, 'When is the shop open?');
    if (plan === 'For good') {
      await page.goto(`${agentBase}/pricing-plans`);
      await expect(page.getByText('$19.00').first()).toBeVisible();
      await expectNothingGrave(page);
      await page.getByRole('button', { name: /^Refund: For good/ }).click();
      await page.getByRole('textbox', { name: /For good/ }).fill('For good');
      await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
      await expect(page.getByRole('row', { name: /For good.*Refunded/ })).toBeVisible({ timeout: 20_000 });
      await expect(page.getByRole('main').locator(':focus')).toBeVisible();
      const plan = page.getByRole('row', { name: /^For good.*For sale/ });
      await expect(plan.getByRole('cell', { name: '0', exact: true })).toBeVisible();
      await guest.getByRole('textbox', { name: 'Message' }).fill('And tomorrow?');
      await guest.keyboard.press('Enter');
      await expect(guest.getByRole('region', { name: 'Continue with Helper' })).toBeVisible();
      await guest.getByRole('button', { name: 'Not now' }).click();
      await guest.getByRole('textbox', { name: 'Message' }).fill('');
      await guest.getByRole('button', { name: 'Regenerate' }).click();
      await expect(guest.getByRole('region', { name: 'Continue with Helper' })).toBeVisible();
    }
    await context.close();
  }
  const { totals } = await client.earning.get({ agentId });
  expect(totals).toMatchObject([{ currency: 'usd', refunded: 1900 }]);
});

test('a person refused in the chat buys there, finds their text again, and sends it with one click', async ({
  page,
  browser,
}) => {
  const owner = await startOwner(server, 'bob');
  const { client, agentId, organizationId } = owner;
  await connectAccount(page, owner);
  const { product } = await client.product.create({ organizationId, agentId });
  await client.product.update({ id: product.id, state: 'active' });

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`${server.url}/chat/${agentId}`);
  const field = guest.getByRole('textbox', { name: 'Message' });
  await field.fill('When is the shop open?');
  await guest.keyboard.press('Enter');
  const card = guest.getByRole('region', { name: 'Continue with Helper' });
  await expect(card.getByText('$9.00 a month')).toBeVisible();
  await expect(field).toHaveValue('When is the shop open?');
  await expectNothingGrave(guest);
  await card.getByRole('button', { name: 'Buy: New plan' }).click();
  await pay(guest);
  await expect(guest.getByText('You are a guest: sign in to keep your access')).toBeVisible({
    timeout: 20_000,
  });
  await guest.getByRole('link', { name: 'Chat with Helper' }).click();
  await expect(field).toHaveValue('When is the shop open?');
  await guest.getByRole('button', { name: 'Send' }).click();
  await expect(guest.getByRole('region', { name: 'Conversation' })).toContainText('When is the shop open?');
  await expect(guest.getByRole('region', { name: 'Continue with Helper' })).toBeHidden();
  await expect(field).toHaveValue('');

  // Buying it again is refused, with nothing to try again.
  await guest.goto(`${server.url}/chat/${agentId}?buy=${product.id}`);
  await expect(guest.getByText('You already have this.')).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await context.close();

  // A person deleting the agent is told that it was paid for.
  await owner.signIn(page.context());
  await page.goto(`${owner.agentBase}/settings/danger`);
  await page.getByRole('button', { name: 'Delete this agent' }).click();
  await expect(page.getByRole('dialog')).toContainText('without refunds');
});

test('a buyer can retry after an outage, and is told when something is no longer for sale', async ({
  page,
  browser,
}) => {
  const owner = await startOwner(server, 'gail');
  const { client, agentId, organizationId } = owner;
  await connectAccount(page, owner);
  const { product } = await client.product.create({ organizationId, agentId });
  await client.product.update({ id: product.id, state: 'active' });
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.route('**/checkout', (route) => route.abort());
  const address = `${server.url}/chat/${agentId}?buy=${product.id}`;
  await guest.goto(address);
  await expect(guest.getByText('The server could not be reached.')).toBeVisible();
  await guest.unrouteAll();
  await guest.getByRole('button', { name: 'Try again' }).click();
  await expect(guest).toHaveURL(/\/test-payments\/checkout\//);
  await client.product.remove({ id: product.id });
  await guest.goto(address);
  await expect(guest.getByText('This is no longer for sale.')).toBeVisible();
  await expect(guest.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await context.close();
});

test('a one-time product is not offered again once its credits are used up, and a refused message begins no conversation', async ({
  page,
  browser,
}) => {
  const owner = await startOwner(server, 'finn');
  const { client, agentId, organizationId } = owner;
  await connectAccount(page, owner);
  const knowledge = { organizationId, type: 'text' as const, description: 'Hours' };
  await client.knowledge.create({ id: agentId, ...knowledge, text: 'The shop opens at nine o’clock.' });
  const sell = async (name: string, paymentConfig: ProductTerms) => {
    const { product } = await client.product.create({ organizationId, agentId });
    await client.product.update({
      id: product.id,
      paymentConfig,
      detailsConfig: { name },
      state: 'active',
    });
  };
  await sell('A taste', { kind: 'free', credits: 1 });
  await sell('One answer', { kind: 'pack', amount: 500, currency: 'usd', credits: 1 });
  await knowledgeIsRead(client, agentId);

  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`${server.url}/chat/${agentId}`);
  const field = guest.getByRole('textbox', { name: 'Message' });
  await field.fill('When does the shop open?');
  await guest.keyboard.press('Enter');
  const card = guest.getByRole('region', { name: 'Continue with Helper' });
  const history = guest.getByRole('navigation', { name: 'Conversations' });
  await expect(card.getByRole('button', { name: 'Buy: One answer' })).toBeVisible();
  await expect(history.getByText('No conversations yet.')).toBeVisible();
  await card.getByRole('button', { name: 'Start for free: A taste' }).click();
  await expect(card.getByText('You have access now. Send your message.')).toBeVisible();
  await guest.getByRole('button', { name: 'Send' }).click();
  await expect(guest.getByRole('region', { name: 'Conversation' })).toContainText('at nine o’clock');
  await expect(history.getByRole('link', { name: /When does the shop open/ })).toBeVisible();
  await field.fill('When does it open on Sundays?');
  await guest.keyboard.press('Enter');
  await expect(card.getByText('You have used all your credits for this agent.')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Buy: One answer' })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Start for free: A taste' })).toHaveCount(0);

  await card.getByRole('button', { name: 'Buy: One answer' }).click();
  await pay(guest);
  await guest.getByRole('link', { name: 'Chat with Helper' }).click({ timeout: 20_000 });
  const bought = (name: string) => guest.getByRole('listitem').filter({ hasText: `${name}, Helper` });
  await field.fill('When does the shop open?');
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('region', { name: 'Conversation' })).toContainText('at nine o’clock');
  await guest.goto(`${server.url}/app/account`);
  // One of them gets new credits next month.
  await expect(bought('One answer')).toContainText('Used up');
  await expect(bought('A taste')).toContainText('Active');
  await context.close();
});

test('in the widget the checkout opens separately, and the unsent text waits in the frame', async ({
  page,
  browser,
}) => {
  const owner = await startOwner(server, 'cleo');
  const { client, agentId, organizationId } = owner;
  await connectAccount(page, owner);
  const { product } = await client.product.create({ organizationId, agentId });
  await client.product.update({ id: product.id, state: 'active' });
  const shown = { enableKnowledgeBaseMode: true, fallbackMessage: ANSWER };
  await client.chatbot.update({ id: agentId, organizationId, ...shown });

  const context = await browser.newContext();
  const frame = await context.newPage();
  await frame.goto(`${server.url}/embed/${agentId}`);
  const field = frame.getByRole('textbox', { name: 'Message' });
  await field.fill('When is the shop open?');
  await frame.keyboard.press('Enter');
  const card = frame.getByRole('region', { name: 'Continue with Helper' });
  const opened = context.waitForEvent('page');
  await card.getByRole('button', { name: 'Buy: New plan' }).click();
  const beside = await opened;
  await pay(beside);
  await expect(beside.getByRole('heading', { name: 'Go back to the chat you came from' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(card.getByText('You have access now. Send your message.')).toBeVisible({ timeout: 20_000 });
  await expect(field).toHaveValue('When is the shop open?');
  await frame.getByRole('button', { name: 'Send' }).click();
  await expect(frame.getByText(ANSWER).first()).toBeVisible({ timeout: 20_000 });
  await expect(card).toBeHidden();
  await context.close();
});

test('a text saved with an older page open does not bring back the price of then', async ({ page }) => {
  const { agentBase, agentId, organizationId, client, signIn } = await startOwner(server, 'gina');
  await signIn(page.context());
  const { product } = await client.product.create({ organizationId, agentId });
  const terms = product.paymentConfig as Extract<ProductTerms, { kind: 'once' }>;
  await page.goto(`${agentBase}/pricing-plans/${product.id}`);
  await page.getByLabel('Description').fill('For small teams.');
  await client.product.update({ id: product.id, paymentConfig: { ...terms, amount: 4200 } });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('42');
  expect((await client.product.get({ id: product.id })).product).toMatchObject({
    paymentConfig: { amount: 4200 },
    detailsConfig: { description: 'For small teams.' },
  });
});

test('many plans and test sets can be searched by name', async ({ page }) => {
  const { agentBase, agentId, organizationId, client, signIn } = await startOwner(server, 'hana');
  await signIn(page.context());
  for (let number = 1; number <= 13; number += 1) {
    const { product } = await client.product.create({ organizationId, agentId });
    await client.product.update({ id: product.id, detailsConfig: { name: `Plan ${number}` } });
    await client.testSet.create({ id: agentId, organizationId, name: `Set ${number}` });
  }
  for (const [path, list, name] of [
    ['pricing-plans', 'plans', 'Plan 12'],
    ['settings/tests', 'test sets', 'Set 12'],
  ] as const) {
    await page.goto(`${agentBase}/${path}`);
    const search = page.getByRole('searchbox', { name: `Search ${list}` });
    await search.fill('12');
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: name.replace('12', '11'), exact: true })).toHaveCount(0);
    await search.fill('nothing like it');
    await expect(page.getByRole('heading', { name: /^No .* found$/ })).toBeVisible();
  }
});

/** The provider reports it in its own time. */
async function connectAccount(page: Page, { client, organizationId }: Owner): Promise<void> {
  const { url } = await client.connect.link({ organizationId });
  await page.goto(url);
  await page.getByRole('button', { name: 'Everything is given' }).click();
  await expect.poll(async () => (await client.connect.get({ organizationId })).account.state).toBe('ready');
}

type ProductTerms = NonNullable<Parameters<Owner['client']['product']['update']>[0]['paymentConfig']>;

interface Plan {
  name: string;
  kind: string;
  amount: string;
  credits?: string;
}

async function makePlan(page: Page, agentBase: string, { name, kind, amount, credits }: Plan): Promise<void> {
  await page.goto(`${agentBase}/pricing-plans`);
  await page.getByRole('button', { name: 'Create plan' }).click();
  await page.getByLabel('What is sold').selectOption(kind);
  await expect(page.getByText('$0.50 to $999,999.99.')).toBeVisible();
  const seen = page.getByRole('region', { name: 'As people see it' });
  await page.getByRole('textbox', { name: 'Amount' }).fill('');
  await expect(seen.getByText('—', { exact: true })).toBeVisible();
  await expect(seen.getByText('$9.00')).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount);
  if (credits !== undefined) await page.getByRole('textbox', { name: 'Credits', exact: true }).fill(credits);
  await page.getByRole('textbox', { name: 'Plan', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByRole('button', { name: 'Put up for sale' }).click();
  await expect(page.getByText('For sale', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take off sale' })).toBeFocused();
}

async function pay(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('guest@example.com');
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByLabel('Expiry (MM/YY)').fill('12/34');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: /^(Pay|Subscribe)$/ }).click();
}

async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
  await expect(page.getByText(ANSWER).first()).toBeVisible({ timeout: 20_000 });
}
