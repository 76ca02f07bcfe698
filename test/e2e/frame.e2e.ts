import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, type Page, type Route } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** What surrounds every page: search and shortcuts, the way back, titles, and what happens when something is missing. */

let server: Server;
let owner: Owner;
let knowledge: string;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
  const { client, organizationId, agentId } = owner;
  const made = await client.knowledge.create({
    id: agentId,
    organizationId,
    type: 'text',
    description: 'Opening hours',
    text: 'We are open from nine to five.',
  });
  knowledge = `${owner.agentBase}/knowledge/${made.knowledge.id}`;
  await client.chat.create({ chatbotId: agentId, text: 'Do you sell zeppelins?' });
});
test.afterAll(() => server.remove());
test.beforeEach(({ context }) => owner.signIn(context));
test.afterEach(({ context }) => owner.keepSession(context));

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search agents' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

async function openPalette(page: Page, query: string): Promise<void> {
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = palette(page).getByRole('combobox');
  await expect(field).toBeFocused();
  await field.fill(query);
}

test.describe('the palette', () => {
  test('finds agents, people, conversations, pages and actions, and goes there by keyboard', async ({
    page,
  }) => {
    await page.goto(`${owner.base}/agent`);
    await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();

    await openPalette(page, 'help');
    await expect(option(page, 'Helper')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${owner.agentBase}/home`);
    await expect(palette(page)).toHaveCount(0);

    await openPalette(page, 'danger');
    await expect(option(page, /Danger.*Helper › Settings/)).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${owner.agentBase}/settings/danger`);

    await openPalette(page, 'ada');
    await option(page, /^ada/).click();
    await expect(page).toHaveURL(/\/account\/members\/mem_/);

    await openPalette(page, 'zeppelins');
    await option(page, /Do you sell zeppelins/).click();
    await expect(page).toHaveURL(/\/chat\/cnv_/);

    await openPalette(page, 'new org');
    await expect(option(page, 'New organization')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.goto(`${owner.base}/agent`);
    await openPalette(page, 'new org');
    await option(page, 'New organization').click();
    await expect(page.getByRole('dialog', { name: 'New organization' })).toBeVisible();
  });

  test('announces the highlighted entry and the results, and returns focus', async ({ page }) => {
    await page.goto(`${owner.agentBase}/home`);
    const opener = page.getByRole('button', { name: 'Search or go to' });
    await opener.click();
    const field = palette(page).getByRole('combobox');
    await field.fill('knowledge');
    await expect(palette(page).getByRole('status')).toHaveText(/^\d+ results$/);
    const first = await field.getAttribute('aria-activedescendant');
    await page.keyboard.press('ArrowDown');
    const second = await field.getAttribute('aria-activedescendant');
    expect(second).not.toBe(first);
    await expect(page.locator(`[id="${second}"]`)).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('ArrowUp');
    await expect(field).toHaveAttribute('aria-activedescendant', first ?? '');
    await field.fill('qqqq');
    await expect(palette(page).getByRole('status')).toHaveText('No results');
    await page.keyboard.press('Escape');
    await expect(palette(page)).toHaveCount(0);
    await expect(opener).toBeFocused();
  });

  test('switches the color mode in every tab', async ({ page, context }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${owner.base}/agent`);
    const other = await context.newPage();
    await other.emulateMedia({ colorScheme: 'light' });
    await other.goto(`${server.url}/auth`);
    await expect(other.locator('html')).toHaveAttribute('data-scheme', 'light');
    await openPalette(page, 'dark');
    await option(page, 'Colour mode: Dark').click();
    await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark');
    await expect(other.locator('html')).toHaveAttribute('data-scheme', 'dark');
    await other.reload();
    await expect(other.locator('html')).toHaveAttribute('data-scheme', 'dark');
  });

  test('captures text typed before its code has loaded, wherever focus was', async ({ page }) => {
    await page.goto(`${owner.agentBase}/home`);
    const field = page.getByRole('textbox', { name: 'Message', exact: true });
    await field.click();
    const late = async (route: Route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.continue();
    };
    await page.route(/\/assets\/.*\.js/, late);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('create age', { delay: 60 });
    await expect(palette(page).getByRole('combobox')).toHaveValue('create age');
    await page.keyboard.type('nt');
    await expect(palette(page).getByRole('combobox')).toHaveValue('create agent');
    await expect(field).toHaveValue('');
    await expect(page).toHaveURL(`${owner.agentBase}/home`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`${owner.base}/agent/create`);
  });

  test('captures a key pressed at the moment it opens', async ({ page }) => {
    await page.goto(`${owner.agentBase}/home`);
    await page.evaluate(() => {
      const prototype = HTMLDialogElement.prototype;
      const open = Object.getOwnPropertyDescriptor(prototype, 'showModal')?.value as () => void;
      prototype.showModal = function () {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true }));
        open.call(this);
      };
    });
    await openPalette(page, '');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(palette(page).getByRole('combobox')).toHaveValue('z');
  });

  test('offers a visitor nothing from an organization', async ({ browser }) => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(server.url);
    await expect(page.getByRole('button', { name: 'Start building' })).toBeVisible();
    await openPalette(page, 'agent');
    await expect(palette(page).getByRole('status')).toHaveText('No results');
    await palette(page).getByRole('combobox').fill('sign');
    await option(page, 'Sign in').click();
    await expect(page).toHaveURL(`${server.url}/auth`);
  });
});

test.describe('shortcuts', () => {
  test('go to pages and into the search field, and are inactive while typing', async ({ page }) => {
    await page.goto(`${owner.agentBase}/home`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await expect(page).toHaveURL(`${owner.agentBase}/knowledge`);
    const search = page.getByRole('searchbox');
    await expect(search).toBeVisible();
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('ga?c/');
    await expect(search).toHaveValue('ga?c/');
    await expect(page).toHaveURL(`${owner.agentBase}/knowledge`);
    await search.blur();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect(page).toHaveURL(`${owner.base}/agent`);
    await page.keyboard.press('c');
    await expect(page).toHaveURL(`${owner.base}/agent/create`);
  });

  test('are listed by ?, and single-character ones can be disabled per browser', async ({ page }) => {
    await page.goto(`${owner.base}/agent`);
    await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(list.getByText('Go to the agent’s knowledge')).toBeVisible();
    await page.keyboard.press('c');
    await expect(page).toHaveURL(`${owner.base}/agent`);
    await list.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
    await page.keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
    await page.keyboard.press('c');
    await page.keyboard.press('?');
    await expect(list).toHaveCount(0);
    await openPalette(page, 'shortcuts');
    await option(page, 'Keyboard shortcuts').click();
    await expect(list).toBeVisible();
    await expect(page).toHaveURL(`${owner.base}/agent`);
  });
});

test.describe('navigation', () => {
  test('a nested page shows the way back, on phones only the last step', async ({ page }) => {
    await page.goto(`${knowledge}/edit`);
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await expect(trail.getByRole('listitem')).toHaveText(['Helper', 'Knowledge', 'Opening hours', 'Edit']);
    await expect(trail.getByText('Edit')).toHaveAttribute('aria-current', 'page');
    await expect(trail.locator('[aria-current]')).toHaveCount(1);
    await expect(page).toHaveTitle('Edit · Opening hours · Knowledge · Helper · Parley');
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(trail.getByRole('link')).toHaveText(['Opening hours']);
    await trail.getByRole('link').click();
    await expect(page).toHaveURL(knowledge);
    await expect(page).toHaveTitle('Opening hours · Knowledge · Helper · Parley');
    await page.setViewportSize({ width: 1440, height: 900 });
    await trail.getByRole('link', { name: 'Helper' }).click();
    await expect(page).toHaveURL(`${owner.agentBase}/home`);
  });
});

test.describe('when something fails', () => {
  test('a bar appears while offline, and disappears once online', async ({ page, context }) => {
    await page.goto(`${owner.base}/agent`);
    await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
    await context.setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
  });

  test('a list survives a failed refresh, and a failure to load more is reported', async ({ page }) => {
    const { client, agentId: chatbotId } = owner;
    for (let index = 0; index < 31; index += 1)
      await client.chat.create({ chatbotId, title: `Talk ${index}` });
    await page.goto(`${server.url}/chat`);
    const newest = page.getByRole('link', { name: /^Talk 30/ });
    await expect(newest).toBeVisible();
    await page.route(/\/v1\/chat\?/, (route) => route.fulfill({ status: 503, body: 'busy' }));
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByText('That did not work')).toBeVisible();
    await expect(newest).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(page.getByRole('link', { name: /^Talk 0/ })).toBeVisible();
  });

  test('an item can be added to a list that failed to load', async ({ page }) => {
    const isList = /\/v1\/platform\/team\/organization\//;
    await page.route(isList, (route) => route.fulfill({ status: 403, json: {} }));
    await page.goto(`${owner.base}/account/teams`);
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create team' })).toBeVisible();
  });

  test('code missing on the server reloads the page once, then shows the error page', async ({
    page,
    context,
  }) => {
    const there = new Set<string>();
    page.on('response', (response) => response.ok() && there.add(response.url()));
    await page.goto(`${owner.base}/agent`);
    await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
    let loads = 0;
    page.on('load', () => (loads += 1));
    await openPalette(page, 'teams');
    await expect(option(page, /^Teams/)).toBeVisible();
    await page.waitForLoadState('networkidle');
    // Code the page has not needed so far is gone.
    await context.route(/\/assets\/.*\.js/, (route) =>
      there.has(route.request().url()) ? route.continue() : route.fulfill({ status: 404 }),
    );
    // On a slow connection, too, no error is shown before the decision.
    await context.route('**/healthz', async (route) => {
      await sleep(500);
      await route.continue();
    });
    await option(page, /^Teams/).click();
    await expect(page.getByRole('heading', { name: 'This page could not be loaded.' })).toBeVisible();
    expect(loads).toBe(1);
    await expect(page.getByRole('link', { name: 'Go to the front page' })).toBeVisible();
  });

  test('a page that cannot be loaded shows message and status, and a link home', async ({
    page,
    context,
  }) => {
    const answer = {
      type: 'about:blank',
      title: 'Broken',
      status: 503,
      detail: 'The database is away.',
      code: 'server/unavailable',
    };
    await context.route(/\/v1\/platform\/organization$/, (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(answer) }),
    );
    await page.goto(`${server.url}/platform/agent`);
    await expect(page.getByRole('heading', { name: 'The database is away.' })).toBeVisible();
    await expect(page.getByText('Status 503')).toBeVisible();
    await context.unrouteAll();
    await page.getByRole('link', { name: 'Go to the front page' }).click();
    await expect(page).toHaveURL(`${server.url}/`);
  });
});

test('distant photos are loaded on scrolling near', async ({ page }) => {
  const { client } = owner;
  const { organization } = await client.organization.create({ name: 'Many' });
  const made: string[] = [];
  for (let index = 0; index < 60; index += 1)
    made.push(
      (await client.chatbot.create({ organizationId: organization.id, name: `Agent ${index}` })).chatbot.id,
    );
  // The last one has its own photo: one shown anywhere on the page before is shown again at once.
  const [id = ''] = made;
  const media = new Blob([await readFile('test/fixtures/astronaut.jpg')]);
  const { url: own } = await client.chatbot.uploadImage({ id, media });
  await client.chatbot.update({ id, organizationId: organization.id, profilePhoto: own });
  await page.setViewportSize({ width: 800, height: 600 });
  await page.goto(`${server.url}/platform/${organization.id}/agent`);
  const photos = page.locator('main img[data-src]');
  await expect(photos).toHaveCount(60);
  await expect(photos.first()).toHaveAttribute('src', '/images/agent.svg');
  await expect(photos.last()).not.toHaveAttribute('src');
  await photos.last().scrollIntoViewIfNeeded();
  await expect(photos.last()).toHaveAttribute('src', own);
});

test.describe('as an installed app', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the browser can install it, and the page offers that in the expected place', async ({
    page,
    context,
  }) => {
    await page.goto(`${owner.base}/agent`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const devtools = await context.newCDPSession(page);
    const { errors, data } = await devtools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const manifest = JSON.parse(data ?? '{}') as { display: string; icons: { src: string }[] };
    expect(manifest.display).toBe('standalone');
    for (const { src } of manifest.icons)
      expect((await page.request.get(server.url + src)).headers()['content-type']).toMatch(/^image\//);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // A private window, as tests use it, can't install anything; nothing else is wrong.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    await openPalette(page, 'install');
    await expect(option(page, 'Install Parley')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      Object.assign(offer, { prompt: async () => Object.assign(globalThis, { asked: true }) });
      dispatchEvent(offer);
    });
    await openPalette(page, 'install');
    await option(page, 'Install Parley').click();
    expect(await page.evaluate(() => 'asked' in globalThis)).toBe(true);
  });

  test('nothing private is cached: signed out and offline only the shell is available', async ({
    page,
    context,
  }) => {
    const guest = await startOwner(server, 'eve');
    await owner.keepSession(context);
    await context.clearCookies();
    await guest.signIn(context);
    await page.goto(`${guest.base}/agent`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await page.goto(`${guest.agentBase}/knowledge`);
    await expect(page.getByRole('heading', { name: 'Knowledge', exact: true })).toBeVisible();
    const kept = await page.evaluate(async () => {
      const found = await Promise.all(
        (await caches.keys()).map(async (name) =>
          (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname),
        ),
      );
      return found.flat();
    });
    expect(kept).toContain('/');
    expect(kept.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
    await page.goto(`${server.url}/auth/signout`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(`${server.url}/`);
    await context.setOffline(true);
    // Whether the offline bar appears too is up to the browser: some forget that they are offline when a page is
    // opened.
    await page.goto(`${guest.agentBase}/knowledge`);
    await expect(page.getByRole('alert')).toContainText('The server could not be reached.');
    await expect(page.locator('body')).not.toContainText('Helper');
    await context.setOffline(false);
  });
});
