import { expect, test, type Page } from '@playwright/test';
import { openBrowserClient } from '../browser-client.ts';
import { startProvider, type Provider } from '../stand-ins/provider.ts';
import { HostPage } from './host-page.ts';
import { knowledgeIsRead } from './knowledge-read.ts';
import { expectNothingGrave } from './nothing-grave.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An end user asks for a person, a member takes over, both write, and the agent continues. */

let server: Server;
let provider: Provider;
let owner: Owner;

test.beforeAll(async () => {
  provider = await startProvider({ pieces: ['From the ', 'agent.'] });
  server = await Server.start({
    SEED_DEMO: 'off',
    ...provider.environment,
  });
  owner = await startOwner(server);
});
test.afterAll(async () => {
  await server.remove();
  await provider.close();
});

const log = (page: Page) => page.getByRole('region', { name: 'Conversation' });

test('two browsers: a handoff is requested, taken over, killed in between and handed back', async ({
  browser,
}) => {
  const { organizationId, agentId } = owner;
  const members = await browser.newContext();
  await owner.signIn(members);
  const member = await members.newPage();
  const people = await browser.newContext();
  const person = await people.newPage();

  await person.goto(`${server.url}/chat/${agentId}`);
  await person.getByRole('textbox', { name: 'Message' }).fill('My lamp is broken.');
  await person.keyboard.press('Enter');
  await expect(log(person)).toContainText('From the agent.');
  await member.goto(`${server.url}/platform/${organizationId}/inbox`);
  await expect(member.getByText('No one wants a person right now.')).toBeVisible();

  await person.getByRole('button', { name: 'Talk to a person' }).click();
  await expect(log(person)).toContainText('A person has been asked to answer here.');
  await person.getByRole('textbox', { name: 'Message' }).fill('Is somebody there?');
  await person.keyboard.press('Enter');
  await expect(log(person)).toContainText('Is somebody there?');

  // Without a reload: the socket has reported it.
  const item = member.getByRole('link', { name: /Is somebody there/ });
  await expect(item).toBeVisible();
  await expect(member.getByLabel('1 waiting')).toBeVisible();
  await item.click();
  await member.getByRole('button', { name: 'Take over' }).click();
  await expect(member.getByRole('textbox', { name: 'Reply' })).toBeFocused();
  await member.getByRole('textbox', { name: 'Reply' }).fill('I am here. Which lamp?');
  await member.keyboard.press('Enter');
  await expect(log(person)).toContainText('I am here. Which lamp?');
  await expect(log(person).locator('li', { hasText: 'I am here' })).toContainText('Person');

  await server.kill('SIGKILL');
  await server.startAgain();
  await person.getByRole('textbox', { name: 'Message' }).fill('The red one.');
  await person.keyboard.press('Enter');
  await expect(member.getByRole('log')).toContainText('The red one.', { timeout: 40_000 });
  await member.getByText('Note', { exact: true }).click();
  await member.getByRole('textbox', { name: 'Note' }).fill('Send a new lamp.');
  await member.getByRole('button', { name: 'Add note' }).click();
  await expect(member.getByRole('log')).toContainText('Send a new lamp.');
  await member.getByRole('button', { name: 'Hand back' }).click();
  await expect(member.getByText('With the agent')).toBeVisible();
  // A message written before it is known whether an answer is in progress is sent afterwards.
  await person.route('**/v1/chat/*/stream', async (route) => {
    await person.waitForTimeout(1000);
    await route.continue();
  });
  await person.reload();
  await expect(log(person)).toContainText('The red one.');
  await person.getByRole('textbox', { name: 'Message' }).fill('Thanks.');
  await person.keyboard.press('Enter');
  await expect(log(person).getByText('From the agent.')).toHaveCount(2);
  for (const said of ['My lamp is broken.', 'Is somebody there?', 'I am here. Which lamp?', 'The red one.'])
    await expect(log(person).getByText(said, { exact: true })).toHaveCount(1);
  await expect(log(person)).not.toContainText('Send a new lamp.');
  await owner.keepSession(members);
  await members.close();
  await people.close();
});

test('a member’s text is not lost while a reply is being sent, nor when it fails', async ({
  page,
  context,
}) => {
  const { organizationId, agentId, client } = owner;
  await client.inbox.createCanned({ organizationId, title: 'Thanks', text: 'Thank you for waiting.' });
  const { conversation } = await client.chat.create({ chatbotId: agentId, text: 'Is it red?' });
  await owner.signIn(context);
  await page.goto(`${server.url}/platform/${organizationId}/inbox/${conversation.id}`);
  const reply = page.getByRole('textbox', { name: 'Reply' });
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/v1/inbox/${conversation.id}/message`, async (route) => {
    await held;
    await route.fulfill({ status: 403, json: {} });
  });
  await reply.fill('It is red.');
  await reply.press('Enter');
  await reply.fill('And blue.');
  answer();
  await expect(reply).toHaveValue('It is red.\nAnd blue.');
  await page.unroute(`**/v1/inbox/${conversation.id}/message`);
  await page.reload();
  await expect(reply).toHaveValue('It is red.\nAnd blue.');
  // An unsaved note doesn't become a reply, even after a reload.
  const note = page.getByRole('textbox', { name: 'Note' });
  await page.getByText('Note', { exact: true }).click();
  await expect(note).toHaveValue('');
  await note.fill('He pays late.');
  await page.reload();
  await expect(reply).toHaveValue('It is red.\nAnd blue.');
  await page.getByText('Note', { exact: true }).click();
  await expect(note).toHaveValue('He pays late.');
  await note.fill('');
  await page.getByText('Reply', { exact: true }).click();
  await page.getByRole('button', { name: 'Canned answers' }).click();
  await page.getByRole('menuitem', { name: 'Thanks' }).click();
  await expect(reply).toHaveValue('It is red.\nAnd blue.\nThank you for waiting.');
  await reply.press('Enter');
  await expect(page.getByRole('log')).toContainText('Thank you for waiting.');
  await expect(reply).toHaveValue('');
  await client.inbox.close({ id: conversation.id });
  await owner.keepSession(context);
});

test('someone who comes back outside office hours still reads that no one is here', async ({ browser }) => {
  const { organizationId, client, agentId } = owner;
  const officeHours = { timeZone: 'UTC', days: Array.from({ length: 7 }, () => null) };
  await client.inbox.setSetting({ organizationId, officeHours, awayMessage: 'We are back on Monday.' });
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${server.url}/chat/${agentId}`);
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Is it blue?');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Talk to a person' }).click();
  await expect(page.getByText('We are back on Monday.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('We are back on Monday.')).toBeVisible();
  await page.getByRole('button', { name: /^Continue with/ }).click();
  await expect(page.getByText('We are back on Monday.')).toBeHidden();
  await client.inbox.setSetting({ organizationId, officeHours: null });
  await page.context().close();
});

test('the sources of an agent’s answer can be opened from the inbox', async ({ page, context }) => {
  const { organizationId, client } = owner;
  const { chatbot } = await client.chatbot.create({ organizationId, name: 'Lamps' });
  const { knowledge } = await client.knowledge.create({
    id: chatbot.id,
    organizationId,
    type: 'text',
    description: 'Our lamps\n\nThe desk lamp is red and has a warranty of three years.',
  });
  await knowledgeIsRead(client, chatbot.id);
  provider.script = { pieces: ['It is red [1].'] };
  const { conversation } = await client.chat.create({ chatbotId: chatbot.id });
  await client.chat.send({ id: conversation.id, text: 'Which colour has the desk lamp?' });
  provider.script = { pieces: ['From the ', 'agent.'] };
  await owner.signIn(context);
  await page.goto(`${server.url}/platform/${organizationId}/inbox/${conversation.id}`);
  await page
    .getByRole('log')
    .getByRole('button', { name: /^Source 1/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('a warranty of three years');
  await expectNothingGrave(page);
  await dialog.getByRole('link', { name: 'Open the source' }).click();
  await expect(page).toHaveURL(new RegExp(`/knowledge/${knowledge.id}`));
  await owner.keepSession(context);
});

test('a visitor of a site requests a person and reads what a member writes', async ({ page }) => {
  const { organizationId, agentId, client } = owner;
  await page.goto(`${server.url}/embed/${agentId}`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  await page.keyboard.press('Enter');
  await expect(log(page)).toContainText('From the agent.');
  await page.getByRole('button', { name: 'Talk to a person' }).click();
  await expect(log(page)).toContainText('A person has been asked to answer here.');
  const { conversations } = await client.inbox.list({ organizationId, view: 'waiting' });
  const id = conversations[0]?.id ?? '';
  await client.inbox.write({ id, text: `Welcome to our shop: ${server.url}/docs.` });
  const address = log(page).getByRole('link', { name: `${server.url}/docs`, exact: true });
  await expect(address).toBeVisible({ timeout: 15_000 });
  const opening = page.waitForEvent('popup');
  await address.click();
  await expect(await opening).toHaveURL(`${server.url}/docs`);
  await page.getByRole('textbox', { name: 'Message' }).fill('Thank you');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await client.inbox.get({ id })).messages[0]?.text).toBe('Thank you');
  await client.inbox.close({ id });
  await expect(log(page)).toContainText('This conversation was closed.', { timeout: 15_000 });
});

test('a visitor with the widget closed is notified of a member’s message', async ({ page }) => {
  const { organizationId, agentId, client } = owner;
  const host = await HostPage.start(server.url);
  await page.goto(host.page({ 'data-agent': agentId }));
  const launcher = page.locator('parley-widget button.launcher');
  const frame = page.locator('parley-widget iframe').contentFrame();
  await launcher.click();
  await frame.getByRole('textbox', { name: 'Message' }).fill('Is anybody in the shop?');
  await page.keyboard.press('Enter');
  await frame.getByRole('button', { name: 'Talk to a person' }).click();
  await expect(frame.getByText('A person has been asked')).toBeVisible();
  await page.evaluate('window.parley.close()');
  const { conversations } = await client.inbox.list({ organizationId, view: 'waiting' });
  const id = conversations[0]?.id ?? '';
  await client.inbox.write({ id, text: 'Always.' });
  const lookedAt = async () => (await client.inbox.get({ id })).conversation.seenAt;
  const before = await lookedAt();
  await expect(launcher).toHaveAccessibleName(/new messages: 1$/, { timeout: 15_000 });
  // It is on the page and not in view: after two minutes it would be emailed to them.
  expect(await lookedAt()).toBe(before);
  await launcher.click();
  await expect(frame.getByRole('region', { name: 'Conversation' })).toContainText('Always.');
  await expect.poll(lookedAt).not.toBe(before);
  await client.inbox.close({ id });
  await host.close();
});

test('members see who has talked with the agent, and can read it', async ({ page, context }, info) => {
  const { client, adopt } = openBrowserClient(server.url);
  adopt(await client.identity.signInAsGuest());
  const { id } = (await client.chat.create({ chatbotId: owner.agentId, text: 'My fan is broken.' }))
    .conversation;
  await owner.client.inbox.take({ id });
  await owner.client.inbox.write({ id, text: 'I am here. Which fan?' });
  await owner.client.inbox.close({ id });
  await owner.signIn(context);
  await page.goto(`${owner.agentBase}/users`);
  const guest = page.getByRole('link', { name: 'Guest' }).first();
  await expect(guest).toBeVisible();
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`users-${name}.png`) });
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('nobody at all');
  await expect(page.getByText('No one by that name')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('gue');
  await guest.click();
  await expect(page.getByRole('heading', { name: 'Guest' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Conversations' })).toContainText('My fan is broken.');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`user-${name}.png`) });
  await page.getByRole('link', { name: 'My fan is broken.' }).click();
  await expect(page.getByRole('log')).toContainText('I am here. Which fan?');
  await owner.keepSession(context);
});

test('the inbox and its settings look right at every size, in light and dark', async ({
  page,
  context,
}, info) => {
  const { organizationId, client } = owner;
  await owner.signIn(context);
  const { conversations } = await client.inbox.list({ organizationId, view: 'open' });
  expect(conversations).toEqual([]);
  const { conversation } = await client.chat.create({ chatbotId: owner.agentId });
  await client.chat.send({ id: conversation.id, text: 'Where is my order? I ordered a red lamp last week.' });
  await client.handover.ask({ id: conversation.id, reason: 'An order that has not come' });
  await page.goto(`${server.url}/platform/${organizationId}/inbox`);
  await expect(page.getByText('Choose a conversation')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search messages and people' });
  await search.fill('green lamp');
  await expect(page.getByText('No conversations found.')).toBeVisible();
  await search.fill('red lamp');
  await expect(page.getByRole('link', { name: /From the agent/ })).toBeVisible();
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`inbox-${name}.png`) });
  await page.goto(`${server.url}/platform/${organizationId}/inbox/${conversation.id}`);
  await expect(page.getByRole('log')).toContainText('From the agent.');
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`conversation-${name}.png`) });

  await page.goto(`${server.url}/platform/${organizationId}/inbox/settings`);
  await page.getByLabel('Always').uncheck();
  await page.getByLabel('Monday until').fill('08:00');
  await expect(page.getByLabel('Monday until')).toHaveAccessibleDescription('on the next day');
  await expect(page.getByText('on the next day')).toHaveCount(1);
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`hours-${name}.png`) });
  await page.getByLabel('Tuesday from').fill('22:00');
  await page.getByLabel('Tuesday until').fill('06:00');
  await page.getByLabel('Monday until').fill('17:30');
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await page.getByLabel('Outside these hours').fill('Back on Monday.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved')).toBeVisible();
  const { setting } = await client.inbox.getSetting({ organizationId });
  expect(setting.officeHours).toMatchObject({
    timeZone: 'Asia/Tokyo',
    days: { 0: { to: '17:30' }, 1: { from: '22:00', to: '06:00' } },
  });

  // Somebody else changes another setting meanwhile.
  await page.getByLabel('Outside these hours').fill('Back on Tuesday.');
  await client.inbox.setSetting({ organizationId, officeHours: null });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Always')).toBeChecked();
  expect((await client.inbox.getSetting({ organizationId })).setting).toMatchObject({
    officeHours: null,
    awayMessage: 'Back on Tuesday.',
  });
  await page.getByLabel('Name').fill('Hello');
  await page.getByLabel('Text', { exact: true }).fill('Hello, how can I help?');
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByText('Hello, how can I help?')).toBeVisible();
  await expectNothingGrave(page, { picture: (name) => info.outputPath(`settings-${name}.png`) });
  await page.goto(`${server.url}/platform/${organizationId}/inbox/${conversation.id}`);
  await page.getByRole('button', { name: 'Canned answers' }).click();
  await page.getByRole('menuitem', { name: 'Hello' }).click();
  await expect(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('Hello, how can I help?');
  await page.getByRole('textbox', { name: 'Reply' }).fill('');

  // A single click doesn't remove what was written for everybody.
  await page.goto(`${server.url}/platform/${organizationId}/inbox/settings`);
  const remove = page.getByRole('button', { name: 'Remove Hello', exact: true });
  const asked = page.getByRole('dialog', { name: 'Remove Hello' });
  await remove.press('Enter');
  await asked.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(remove).toBeFocused();
  await remove.press('Enter');
  await asked.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(page.getByText('Hello, how can I help?')).toHaveCount(0);
  await owner.keepSession(context);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a member enables notifications in this browser, and each one is shown and leads to the conversation', async ({
    browser,
  }) => {
    const context = await browser.newContext({ permissions: ['notifications'] });
    await owner.signIn(context);
    const page = await context.newPage();
    await page.goto(`${server.url}/platform/${owner.organizationId}/inbox`);
    const push = page.getByRole('switch', { name: /Notify me on this device/ });
    await expect(push).not.toBeChecked();
    await expectNothingGrave(page);

    // Simulates the push service, since there is none here.
    const tools = await context.newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId);
      });
    });
    await tools.send('ServiceWorker.enable');
    // A worker that is still installing receives nothing.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const told = {
      title: 'Bob asks for a person',
      body: 'My bill',
      url: `/platform/${owner.organizationId}/inbox`,
      tag: 'one',
    };
    const registrationId = await registered;
    const delivered = { origin: server.url, registrationId, data: JSON.stringify(told) };
    const [worker] = context.serviceWorkers();
    // A headless browser has nowhere to show it.
    const shown = await worker?.evaluateHandle(() => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      const all: (string | undefined)[][] = [];
      registration.showNotification = async (title, options) =>
        void all.push([title, options?.body, options?.tag]);
      return all;
    });
    // A worker that has only just started receives nothing; one that receives it twice shows it once, by its tag.
    const first = async () => {
      await tools.send('ServiceWorker.deliverPushMessage', delivered);
      return (await shown?.jsonValue())?.[0];
    };
    await expect.poll(first).toEqual([told.title, told.body, told.tag]);
    await context.close();
  });
});
