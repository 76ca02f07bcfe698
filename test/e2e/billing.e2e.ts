import { expect, test, type Page } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An owner chooses a plan, pays for it in test mode, hits a limit, visits the provider's page and cancels it. */

let server: Server;
let ada: Owner;

test.beforeAll(async () => {
  server = await Server.start({
    SEED_DEMO: 'off',
    BILLING_MODE: 'on',
    PLANS: JSON.stringify({ HOBBY: { agents: 2 }, FREE_PLAN: { agents: 1, creditsAMonth: 4 } }),
  });
  ada = await startOwner(server);
});
test.afterAll(() => server.remove());

const billing = () => `${ada.base}/account/billing`;
const plan = (page: Page, name: string) => page.getByRole('article', { name });
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('from the free plan to a paid one and back', async ({ page, context }) => {
  await ada.signIn(context);
  await page.goto(billing());
  await expect(section(page, 'Your plan').getByText('Test mode', { exact: true })).toBeVisible();
  await expect(page.getByText('1 of 1').first()).toBeVisible();
  await expect(page.getByText('No payments yet.')).toBeVisible();

  // When there is no room, the form doesn't ask whom to invite.
  await page.goto(`${ada.base}/account/members/invite`);
  await expect(page.getByText('You have reached your plan’s member limit.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send invites' })).toBeDisabled();
  await page.getByRole('link', { name: 'View plan' }).click();

  // Requesting more days than the plan shows is not a failure, and retrying wouldn't help.
  await page.goto(`${ada.base}/insights`);
  await page.getByRole('link', { name: '90 days' }).click();
  await expect(page.getByText(/The Free plan shows 30 days of insights/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await page.getByRole('link', { name: 'View plan' }).click();

  await plan(page, 'Hobby').getByRole('button', { name: 'Choose Hobby' }).click();
  await expect(page.getByText('You pay $29 on the next page.')).toBeVisible();
  await page.getByRole('button', { name: 'Go to payment' }).click();
  await expect(page).toHaveURL(/\/test-payments\/checkout\//);
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page).toHaveURL(/\/checkout\/confirmation\?organization=org_/);
  await expect(page.getByRole('heading', { name: 'You are on Hobby' })).toBeVisible();
  await page.getByRole('link', { name: 'See plan and usage' }).click();
  await expect(section(page, 'Your plan').getByText('Hobby')).toBeVisible();
  await expect(section(page, 'Invoices').getByText('$29.00')).toBeVisible();

  await page.goto(`${ada.base}/account/members/invite`);
  await expect(page.getByRole('button', { name: 'Send invites' })).toBeEnabled();

  // A limit is reported before anything is filled in.
  await ada.client.chatbot.create({ organizationId: ada.organizationId, name: 'Second' });
  await page.goto(`${ada.base}/agent`);
  await page.getByRole('link', { name: 'Create agent' }).first().click();
  await expect(page.getByText('You have reached your plan’s agent limit.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create agent' })).toBeDisabled();

  // What doesn't fit into a smaller plan is reported first.
  await page.goto(billing());
  await plan(page, 'Free').getByRole('button', { name: 'Choose Free' }).click();
  await expect(page.getByText('Agents: 2, the plan includes 1')).toBeVisible();
  await page.getByRole('button', { name: 'Change plan' }).click();
  await expect(page.getByText(/The plan ends on/)).toBeVisible();
  await expect(plan(page, 'Free').getByText(/^From /)).toBeVisible();
  await expect(plan(page, 'Free').getByRole('button')).toHaveCount(0);

  await page.getByRole('button', { name: 'Card, invoices and cancellation' }).click();
  await expect(page).toHaveURL(/\/test-payments\/portal\//);
  // Actions there redirect to the page, so that it can be returned to.
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeVisible();
  await page.goto(billing());
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(billing());
  await page.getByRole('button', { name: 'Keep Hobby' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Keep Hobby' })).toHaveCount(0);
  await expect(page.getByRole('main').locator(':focus')).toBeVisible();
  await expect(page.getByText(/^Renews on/)).toBeVisible();
  await ada.keepSession(context);
});

test('a used-up monthly quota is announced on every page, and the owner sets the message people see', async ({
  page,
  context,
}) => {
  const { organization } = await ada.client.organization.create({ name: 'Small' });
  const { chatbot } = await ada.client.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  await ada.client.knowledge.create({
    id: chatbot.id,
    organizationId: organization.id,
    type: 'text',
    description: 'The shop closes at nine in the evening.',
  });
  const { conversation } = await ada.client.chat.create({ chatbotId: chatbot.id });
  const ask = () => ada.client.chat.send({ id: conversation.id, text: 'When does the shop close?' });
  await expect.poll(async () => (await ask()).answer.text, { timeout: 20_000 }).toContain('nine');
  for (let asked = 1; asked < 4; asked += 1) await ask();

  await ada.signIn(context);
  await page.goto(`${server.url}/platform/${organization.id}/agent`);
  await expect(page.getByText('All of this month’s answers are used.')).toBeVisible();
  await page.getByRole('link', { name: 'View plan' }).click();
  await page.getByLabel('What people see then').fill('Call us: 555-0100.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();

  await page.goto(`${server.url}/chat/${chatbot.id}`);
  await page.getByRole('textbox', { name: /message/i }).fill('When does the shop close?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Call us: 555-0100.')).toBeVisible();
  await page.goto(`${server.url}/app/membership`);
  await expect(page.getByRole('region', { name: 'Small' }).getByText('4 of 4')).toBeVisible();
  await ada.keepSession(context);
});

test('a source is re-synced as often as the plan allows, and errors appear at the field', async ({
  page,
  context,
}) => {
  const { organization } = await ada.client.organization.create({ name: 'Readers' });
  const { chatbot } = await ada.client.chatbot.create({ organizationId: organization.id, name: 'Helper' });
  await ada.signIn(context);
  const create = `${server.url}/platform/${organization.id}/agent/${chatbot.id}/knowledge/create`;
  const schedule = page.getByLabel('Re-sync');
  await page.goto(`${create}/website`);
  await expect(schedule).toHaveValue('manual');
  await expect(schedule.getByRole('option', { name: 'Every week (needs a larger plan)' })).toBeDisabled();
  await page.getByLabel('Address', { exact: true }).fill('https://shop.example/');
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(page.getByRole('row', { name: /shop\.example/ })).toBeVisible();
  await page.goto(`${create}/product`);
  await page.getByLabel('Addresses').fill('https://shop.example/lamp');
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(page.getByRole('row', { name: /lamp/ })).toBeVisible();

  // An item from the time of a larger plan.
  const kept = { schedule: 'weekly', nextSyncAt: new Date(Date.now() + 86_400_000).toISOString() };
  await page.route(/\/v1\/chatbot\/[^/]+\/knowledge(?:\/knw_\w+)?(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    const { allKnowledge, knowledge } = (await response.json()) as {
      allKnowledge?: object[];
      knowledge?: object;
    };
    const json = allKnowledge
      ? { allKnowledge: allKnowledge.map((item) => ({ ...item, ...kept })), nextCursor: null }
      : { knowledge: { ...knowledge, ...kept } };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await expect(page.getByRole('row', { name: /lamp/ })).toBeVisible();
  await expect(page.getByText('next in')).toHaveCount(0);
  await page.getByRole('row', { name: /lamp/ }).getByRole('link').first().click();
  await expect(page.getByText('Every week (needs a larger plan)')).toBeVisible();
  await expect(page.getByText('next in')).toHaveCount(0);
  await page.unrouteAll();

  // A page that knows a larger plan than there is now.
  await page.route('**/v1/billing/usage?*', async (route) => {
    const response = await route.fetch();
    const { usage } = (await response.json()) as { usage: object };
    await route.fulfill({ response, json: { usage: { ...usage, plan: null } } });
  });
  await page.goto(`${create}/website`);
  await expect(schedule).toHaveValue('weekly');
  await page.getByLabel('Address', { exact: true }).fill('https://other.example/');
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(schedule).toHaveAccessibleDescription(/The Free plan re-syncs only manually/);
  await ada.keepSession(context);
});

test('billing fits on a phone, and the page after a checkout cannot pay', async ({ page, context }) => {
  await ada.signIn(context);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(billing());
  await expect(page.getByRole('heading', { name: 'All plans' })).toBeVisible();
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  expect(isWide).toBe(false);
  const { organization } = await ada.client.organization.create({ name: 'Hopeful' });
  await page.goto(`${server.url}/checkout/confirmation?organization=${organization.id}`);
  await expect(page.getByRole('heading', { name: 'Waiting for the payment provider' })).toBeVisible();
  const { usage } = await ada.client.billing.getUsage({ organizationId: organization.id });
  expect(usage.planType).toBe('FREE_PLAN');
  await ada.keepSession(context);
});
