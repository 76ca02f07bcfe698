import { expect, test, type Page } from '@playwright/test';
import { pageOf, startChangingSite, type ChangingSite } from '../stand-ins/changing-site.ts';
import { expectSound } from './nothing-grave.ts';
import { Server } from './server.ts';

/** Knowledge: a website from its exploration to a decision about disappeared pages, pairs, and products in an answer. */

let server: Server;
let site: ChangingSite;
const paths = ['/brass', '/steel', '/glass', '/paper'];

// Elements still fading in don't have their final colors.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(async () => {
  site = await startChangingSite();
  server = await Server.start({
    SEED_DEMO: 'off',
    SSRF_ALLOWED_HOSTS: site.host,
    CRAWL_REQUESTS_PER_SECOND: '20',
  });
});
test.afterAll(async () => {
  await server.remove();
  await site.close();
});

test.beforeEach(() => {
  site.pages.clear();
  site.failing.clear();
  site.pages.set('/', pageOf('Lantern shop', 'Welcome to the shop of lanterns.', paths));
  for (const path of paths)
    site.pages.set(path, pageOf(`Lantern${path}`, `The lantern of ${path.slice(1)} burns for 31 hours.`));
});

async function makeAgent(page: Page, username: string): Promise<string> {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Lantern desk');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await expect(page).toHaveURL(/\/knowledge$/);
  return page.url();
}

async function addWebsite(page: Page, list: string): Promise<void> {
  await page.goto(`${list}/create`);
  await page.getByRole('link', { name: /^Website/ }).click();
  await page.getByLabel('Address', { exact: true }).fill(`${site.url}/`);
  await page.getByRole('button', { name: 'Find pages' }).click();
  await expect(page.getByText(/About 5 pages, .* of text/)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('radio', { name: 'Whole site' })).toBeChecked();
}

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

/** The passage in the address, marked in its source's text. */
const pointedAt = (page: Page) => page.getByRole('region', { name: 'Text', exact: true }).locator('mark');

async function readAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Re-sync', exact: true }).click();
  await expect(page.getByText('Re-syncing').first()).toBeVisible();
}

test('a website is checked, read, searched, reread and restored', async ({ page }) => {
  const list = await makeAgent(page, 'ada-site');
  await expectSound(page, 'the empty list');
  await page.goto(`${list}/create/website`);
  const address = page.getByLabel('Address', { exact: true });
  await address.fill('nowhere.invalid');
  await page.getByRole('button', { name: 'Find pages' }).click();
  await expect(address).toHaveAccessibleDescription('No site with this name exists.');
  await addWebsite(page, list);
  await page.getByText('More settings').click();
  await page.getByLabel('Except these pages').fill('/paper');
  await expect(page.getByText('4 of the listed pages match the settings.')).toBeVisible();
  await page.getByLabel('Except these pages').fill('paper');
  await expect(page.getByText('Start each line with /')).toBeVisible();
  await page.getByLabel('Except these pages').fill('/never');
  await expectSound(page, 'a look at a website');
  site.failing.set('/glass', 500);
  await page.getByRole('button', { name: 'Add knowledge' }).click();

  await expect(row(page, 'Lantern shop').getByText('Ready')).toBeVisible({ timeout: 30_000 });
  await expect(row(page, 'Lantern shop').getByText('4 of 5')).toBeVisible();
  await expectSound(page, 'the list');
  site.failing.clear();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, 'Lantern shop').getByText('5 of 5')).toBeVisible({ timeout: 30_000 });

  await page.getByRole('textbox', { name: 'Question' }).fill('How long does the brass lantern burn?');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('only from knowledge would answer.')).toBeVisible();
  await expectSound(page, 'a tried question');
  const marks = () => page.evaluate(() => [...(CSS.highlights.get('found-terms') ?? [])].map(String));
  expect(await marks()).toEqual(expect.arrayContaining(['brass', 'lantern']));
  await page
    .getByRole('list', { name: 'Passages found' })
    .getByRole('link', { name: 'Lantern/brass' })
    .first()
    .click();
  await expect(pointedAt(page)).toContainText('The lantern of brass burns for 31 hours.');
  await expect(pointedAt(page)).toHaveCSS('display', 'inline');
  await expectSound(page, 'a source');
  await page.getByText('1 passage', { exact: true }).click();
  await page.getByRole('link', { name: 'Show in the text' }).click();
  await expect(pointedAt(page)).toBeVisible();

  await page.getByRole('link', { name: 'All sources' }).click();
  await page.getByRole('searchbox', { name: 'Search sources' }).fill('steel');
  await expect(page.getByRole('table', { name: 'Sources' }).getByRole('link')).toHaveText(['Lantern/steel']);
  await expectSound(page, 'the sources');

  await page.getByRole('tab', { name: 'History' }).click();
  site.pages.set('/brass', pageOf('Umbrellas', 'Umbrellas have arrived.'));
  await readAgain(page);
  await page.getByRole('button', { name: /^Revision 2/ }).click({ timeout: 20_000 });
  await expect(page.getByRole('list', { name: 'Changes in revision 2' })).toContainText('Umbrellas');
  await expectSound(page, 'the history');
  await page.getByRole('button', { name: 'Restore revision 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(row(page, 'Revision 3').getByText('In use')).toBeVisible({ timeout: 20_000 });
});

test('a stale list that arrives after an item has finished is replaced', async ({ page }) => {
  let isHolding = false;
  // If reading is quick, only its end may be reported.
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((message) => {
      const isUnderWay = String(message).includes('knowledge.progress') && !isAtEnd(String(message));
      if (!isHolding || !isUnderWay) socket.send(message);
    });
  });
  const list = await makeAgent(page, 'ada-late');
  await addWebsite(page, list);
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(row(page, 'Lantern shop').getByText('Ready')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Lantern shop' }).click();
  await page.getByRole('tab', { name: 'History' }).click();
  site.pages.set('/brass', pageOf('Umbrellas', 'Umbrellas have arrived.'));
  await readAgain(page);
  await expect(row(page, 'Revision 2').getByText('In use')).toBeVisible({ timeout: 20_000 });

  let held = 0;
  const late = Promise.withResolvers<void>();
  await page.route(/\/knowledge$/, async (route) => {
    if (!isHolding || held > 0 || route.request().resourceType() !== 'fetch') return route.fallback();
    held += 1;
    const response = await route.fetch();
    await late.promise;
    // As during reading, however quick it was.
    const body = (await response.text()).replaceAll('"state":"ready"', '"state":"queued"');
    await route.fulfill({ response, body }).catch(() => undefined);
  });
  isHolding = true;
  await page.getByRole('button', { name: 'Restore revision 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect.poll(() => held).toBe(1);
  await page.waitForTimeout(5000);
  late.resolve();
  await page.waitForTimeout(1000);
  await expect(page.getByRole('main').getByRole('status').getByText('Ready')).toBeVisible();
});

const isAtEnd = (told: string): boolean => told.includes('"state":"ready"');

test('a person decides when much of a website has disappeared', async ({ page }) => {
  const list = await makeAgent(page, 'ada-held');
  await addWebsite(page, list);
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(row(page, 'Lantern shop').getByText('5 of 5')).toBeVisible({ timeout: 30_000 });
  await expect(row(page, 'Lantern shop').getByText('Ready')).toBeVisible({ timeout: 30_000 });
  for (const path of ['/brass', '/steel']) site.pages.delete(path);
  // The menu is opened and used by keyboard only.
  await page.getByRole('button', { name: 'Actions for Lantern shop' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Re-sync' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Needs your decision' }).click({ timeout: 30_000 });
  await expect(page.getByText('2 of 5 pages are gone.').first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Changes in revision 2' })).toContainText('Lantern/brass');
  await expectSound(page, 'a held revision');
  await page.getByRole('button', { name: 'Keep current one' }).click();
  await expect(page.getByText('Much of the content is gone')).toHaveCount(0);

  await readAgain(page);
  await page.getByRole('button', { name: 'Use new revision' }).click({ timeout: 30_000 });
  await expect(page.getByText('Much of the content is gone')).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Sources' }).getByRole('link')).toHaveCount(3, {
    timeout: 20_000,
  });

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByText('More settings').click();
  await page.getByLabel('Maximum pages').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('A whole number from 1 to')).toBeVisible();
  await page.getByLabel('Maximum pages').fill('20');
  await page.getByLabel('Re-sync').selectOption('daily');
  await expectSound(page, 'the form of a website');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Every day')).toBeVisible();
});

test('Q&A pairs and products are added, and an answer shows the product and the cited text', async ({
  page,
}) => {
  const list = await makeAgent(page, 'ada-shop');
  await page.goto(`${list}/create/qa`);
  await page.getByLabel('Question').fill('Do you have shops?');
  await page.getByLabel('Answer').fill('No, we sell online only.');
  await page.getByRole('button', { name: 'Add and write another' }).click();
  await expect(page.getByLabel('Question')).toHaveValue('');
  await expect(page.getByLabel('Question')).toBeFocused();
  await page.getByLabel('Question').fill('Who made the lanterns?');
  await page.getByLabel('Answer').fill('They are made by hand in our own workshop.');
  await expectSound(page, 'a pair');
  await page.getByRole('button', { name: 'Add knowledge' }).click();

  const offer = { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR' };
  const kettle = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Copper kettle',
    offers: offer,
  };
  site.pages.set(
    '/kettle',
    pageOf(
      'Copper kettle',
      'All our parcels leave on Mondays.</p><p>The copper kettle holds two litres and whistles at the boil.',
    ).replace('</head>', `<script type="application/ld+json">${JSON.stringify(kettle)}</script></head>`),
  );
  await page.goto(`${list}/create/product`);
  await page.getByLabel('Addresses').fill(`${site.url}/kettle`);
  await expectSound(page, 'products');
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await expect(page.getByText('Ready', { exact: true })).toHaveCount(3, { timeout: 30_000 });

  const chat = page.getByRole('complementary', { name: 'Try it' });
  await chat.getByRole('textbox').fill('Does the copper kettle whistle at the boil?');
  await page.keyboard.press('Enter');
  const card = chat.getByRole('list', { name: 'Products' }).getByRole('link', { name: /Copper kettle/ });
  await expect(card).toBeVisible({ timeout: 20_000 });
  await expect(card).toContainText(/€\s?49[.,]90|49[.,]90\s?€/);
  await expect(card).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  const source = chat.getByRole('button', { name: /^Source 1/ }).first();
  await source.click();
  const toPage = chat.getByRole('link', { name: 'Open the page' });
  await expect(toPage).toHaveAttribute('href', /\/kettle#:~:text=The%20copper%20kettle/);
  await expectSound(page, 'an answer with a product');
  // On a phone the chat was a sheet; beside the page it starts with its messages only.
  await source.click();
  await chat.getByRole('link', { name: 'Open the source' }).click();
  await expect(pointedAt(page)).toContainText('holds two litres');
});

test('a text that someone else has changed meanwhile is only replaced knowingly', async ({
  page,
  context,
}) => {
  const list = await makeAgent(page, 'ada-twice');
  await page.goto(`${list}/create/text`);
  await page.getByLabel('Name').fill('Hours');
  await page.getByLabel('Text').fill('Open from nine.');
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await page.getByRole('link', { name: 'Hours' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByLabel('Name').fill('Opening hours');
  await other.getByLabel('Text').fill('Open from ten.');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other).toHaveURL(/\/knowledge\/knw_[^/]+$/);

  await page.getByLabel('Text').fill('Open from eleven.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Someone else has changed this in the meantime.')).toBeVisible();
  await expect(page.getByLabel('Text')).toHaveValue('Open from eleven.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/knowledge\/knw_[^/]+$/);
  await expect(page.getByRole('heading', { name: 'Opening hours' })).toBeVisible();
  await expect(page.getByText('Open from eleven.').first()).toBeVisible();
});

test('an agent is deleted permanently, and then its organization', async ({ page }) => {
  const list = await makeAgent(page, 'ada-gone');
  const organization = /org_\w+/.exec(list)?.[0] ?? '';
  await page.goto(list.replace(/knowledge$/, 'settings/danger'));
  await page.getByRole('button', { name: 'Delete permanently now' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  await dialog.getByRole('textbox').fill('Lantern desk');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(/\/agent$/);
  await expect(page.getByRole('main').getByText('Lantern desk')).toHaveCount(0);

  await page.goto(`${server.url}/platform/${organization}/account/organization`);
  await page.getByRole('button', { name: 'Delete this organization' }).click();
  await expectSound(page, 'the question before an organization is deleted');
  await dialog.getByRole('textbox').fill("Ada Lovelace's organization");
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText("Ada Lovelace's organization deleted")).toBeVisible();
  await expect(page).not.toHaveURL(new RegExp(organization));
});
