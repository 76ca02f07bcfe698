import { expect, test, type Page } from '@playwright/test';
import { Server, startSite, type Site } from './server.ts';

/** The main task, from an empty data folder: build an agent, give it a text, a PDF and a web page, and chat with it. */

let server: Server;
let site: Site;

test.beforeAll(async () => {
  site = await startSite();
  server = await Server.start({ SSRF_ALLOWED_HOSTS: site.host });
});
test.afterAll(async () => {
  await server.remove();
  await site.close();
});

const problems: string[] = [];
test.beforeEach(({ page }) => {
  problems.length = 0;
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
});

async function registerAsGuest(page: Page): Promise<void> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await expect(page).toHaveURL(/\/platform\/org_\w+\/agent\/create$/);
}

async function addText(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('link', { name: 'Add knowledge' }).first().click();
  await page.getByRole('link', { name: /^Text/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Text', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await inList(page, name);
}

/** Adding leads to the list: until then "Add knowledge" is the back link on the page being left. */
async function inList(page: Page, name: string): Promise<void> {
  await expect(page).toHaveURL(/\/knowledge$/);
  await expect(page.getByRole('table').getByText(name).first()).toBeVisible();
}

async function ask(page: Page, question: string): Promise<void> {
  const field = page.getByRole('textbox', { name: /Message|Ask/ });
  await field.fill(question);
  // While an answer is in progress the button is a different one, and Enter keeps the text for later.
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  // The opened sources may take focus late.
  await field.press('Enter');
}

test('a visitor builds an agent from a text, a PDF and a page, and it answers with the supporting passage', async ({
  page,
}) => {
  await registerAsGuest(page);
  await page.getByRole('link', { name: 'Create agent' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Library desk');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page).toHaveURL(/\/knowledge/);
  await addText(
    page,
    'Returns',
    'A parcel can be sent back within 43 days. The customer pays nothing for that.',
  );
  await page.getByRole('link', { name: 'Add knowledge' }).first().click();
  await page.getByRole('link', { name: /^Files/ }).click();
  await page.locator('input[type=file]').setInputFiles('test/fixtures/libtasn1.pdf');
  await inList(page, 'libtasn1.pdf');
  await page.getByRole('link', { name: 'Add knowledge' }).first().click();
  await page.getByRole('link', { name: /^Website/ }).click();
  await page.getByLabel('Address', { exact: true }).fill(`http://${site.host}/zlib_how.html`);
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(page.getByText('Ready', { exact: true })).toHaveCount(3, { timeout: 60_000 });

  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('link', { name: 'Open chat' }).first().click();
  await expect(page).toHaveURL(/\/chat\//);
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await ask(page, 'How many days do I have to send a parcel back?');
  await expect(page.getByText('within 43 days').first()).toBeVisible();
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .click();
  await expect(page.getByText('Returns').first()).toBeVisible();

  await ask(page, 'What does asn1Decoding do?');
  await expect(page.getByText(/asn1Decoding generates/).first()).toBeVisible();
  await ask(page, 'What buffer sizes should be used if the memory is available?');
  await expect(page.getByText(/128K or 256K/).first()).toBeVisible();

  await page.reload();
  await expect(page.getByText('within 43 days').first()).toBeVisible();
  await server.kill('SIGTERM');
  await server.startAgain();
  await page.reload();
  await expect(page.getByText('within 43 days').first()).toBeVisible();
  expect(problems.filter((problem) => !/Failed to load resource|net::ERR|WebSocket/.test(problem))).toEqual(
    [],
  );
});

test('an e-mail link, shown in the local inbox, signs in', async ({ page, context }) => {
  await page.goto(`${server.url}/auth`);
  await page.getByLabel('E-mail').fill('grace@example.com');
  await page.getByRole('button', { name: 'Send sign-in link' }).click();
  await expect(page).toHaveURL(/\/auth\/email-confirmation/);
  const inbox = await context.newPage();
  await inbox.goto(`${server.url}/dev/inbox`);
  await inbox
    .getByRole('link', { name: /verification/ })
    .first()
    .click();
  await expect(inbox).toHaveURL(/\/auth\/register/, { timeout: 15_000 });
  expect(server.output).toContain('/auth/email-verification?token=');
});

test('the demo agent on the front page answers from the guides', async ({ page }) => {
  await page.goto(server.url);
  await ask(page, 'Which variable sets the port?');
  await expect(page.getByText(/PORT/).first()).toBeVisible({ timeout: 20_000 });
});
