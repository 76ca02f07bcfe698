import { expect, test, type Page } from '@playwright/test';
import { answers, ask, askWhole, field, region, startDesk, type Desk } from './desk.ts';

/** A server that is killed and restarted while its pages are open: the network is up all the time. */

// A page opened while there is no server comes from the worker.
test.use({ serviceWorkers: 'allow' });

let desk: Desk;

test.beforeAll(async () => {
  desk = await startDesk();
});
test.afterAll(() => desk.close());

const away = (page: Page) => page.getByText('The server cannot be reached. Trying again.');

/** Lost on any reload. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isMarked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window);

test('a first message sent during an outage stays on the page and is sent once the server is back', async ({
  page,
}) => {
  await desk.begin(page);
  await mark(page);
  await desk.server.kill('SIGKILL');
  await field(page).fill('Anybody?');
  await field(page).press('Enter');
  await expect(away(page)).toBeVisible();
  await expect(page.getByText('Anybody?')).toBeVisible();
  desk.say('Here I am');
  await desk.server.startAgain();
  await expect(away(page)).toBeHidden();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(answers(page).last()).toContainText('Here I am');
  await expect(region(page).getByText('Anybody?')).toHaveCount(1);
  expect(await isMarked(page)).toBe(true);
});

test('a dialog opened during an outage leaves the page as it is, and appears once the server is back', async ({
  page,
}) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  await mark(page);
  await field(page).fill('Half a thought');
  const actions = page.getByRole('button', { name: 'Actions for Are you there?' });
  await actions.waitFor();
  await desk.server.kill('SIGKILL');
  await actions.click();
  await page.getByRole('menuitem', { name: 'Share' }).click();
  await expect(away(page)).toBeVisible();
  await expect(answers(page)).toHaveCount(1);
  await desk.server.startAgain();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveValue('Half a thought');
  expect(await isMarked(page)).toBe(true);
});

test('a conversation printed during an outage is printed once the server is back', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-asked-to-print', '');
  });
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  await desk.server.kill('SIGKILL');
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Print' }).click();
  await expect(away(page)).toBeVisible();
  await desk.server.startAgain();
  await expect(page.locator('[data-asked-to-print]')).toBeAttached();
});

test('content missing during an outage appears by itself once the server is back', async ({ page }) => {
  await desk.begin(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await askWhole(page, desk, 'Are you there?', 'Always');
  await desk.server.kill('SIGKILL');
  // In one tab the agent's details could not be loaded, in the other not even the code.
  await page.reload();
  await expect(away(page)).toBeVisible();
  const learn = await page.context().newPage();
  await learn.goto(`${desk.server.url}/app/learn`);
  await expect(away(learn)).toBeVisible();
  await desk.server.startAgain();
  await expect(answers(page)).toContainText('Always');
  await expect(learn.getByRole('heading', { name: 'Learn', level: 1 })).toBeVisible();
});

test('an error page from a proxy shows the same message as an outage', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  await page.route(/\/(v1|healthz)/, (route) =>
    route.fulfill({ status: 502, body: '<h1>502 Bad Gateway</h1>' }),
  );
  await field(page).fill('And now?');
  await field(page).press('Enter');
  await expect(page.getByText('The server could not be reached.')).toBeVisible();
  await expect(away(page)).toBeVisible();
  await page.unroute(/\/(v1|healthz)/);
  await expect(away(page)).toBeHidden();
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(answers(page)).toHaveCount(2);
});

test('an answer whose server is killed is reported as interrupted, and is requested again once', async ({
  page,
}) => {
  await desk.begin(page);
  desk.say('Word after word. '.repeat(40), 100);
  await ask(page, 'Tell me all');
  // A partial answer is stored every 400 ms.
  await expect(answers(page)).toContainText('Word after word. '.repeat(5));
  await desk.server.kill('SIGKILL');
  await expect(away(page)).toBeVisible();
  await expect(page.getByText('Connection lost. Reconnecting.').first()).toBeVisible();
  await desk.server.startAgain();
  await expect(page.getByText('The server was restarted during the answer.').first()).toBeVisible();
  desk.say('All of it.');
  await page.getByRole('button', { name: 'Answer again' }).click();
  await expect(answers(page)).toContainText('All of it.');
  await expect(region(page).getByText('Tell me all')).toHaveCount(1);
});
