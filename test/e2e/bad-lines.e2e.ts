import { expect, test } from '@playwright/test';
import { answers, ask, askWhole, region, startDesk, type Desk } from './desk.ts';

/** A conversation on lines that fail in the middle of it. */

let desk: Desk;

test.beforeAll(async () => {
  desk = await startDesk();
});
test.afterAll(() => desk.close());

const WORDS = Array.from({ length: 60 }, (_, index) => `word${index} `).join('');
/** By which an answer under way is followed. */
const FOLLOWING = /\/v1\/chat\/cnv_[^/]+\/stream/;

test('an answer that may not be followed any longer is not shown as coming for ever', async ({ page }) => {
  await desk.begin(page);
  await askWhole(page, desk, 'Are you there?', 'Always');
  desk.say(WORDS, 150);
  await ask(page, 'Count for me');
  await expect(answers(page).last()).toContainText('word3');
  await page.route(FOLLOWING, (route) =>
    route.fulfill({ status: 404, json: { code: 'resource/not-found' } }),
  );
  await page.reload();
  await expect(page.getByText('The conversation could not be read.')).toBeVisible();
  await expect(answers(page).last()).toHaveAttribute('aria-busy', 'false');
  await page.unroute(FOLLOWING);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(answers(page).last()).toContainText('word59', { timeout: 20_000 });
  await expect(answers(page)).toHaveCount(2);
  await expect(region(page).getByText('Count for me')).toHaveCount(1);
});

test('who has asked too often is followed again after a while, without a word of their own', async ({
  page,
}) => {
  await desk.begin(page);
  desk.say(WORDS, 100);
  await ask(page, 'Count for me');
  await expect(answers(page).last()).toContainText('word3');
  let refusals = 0;
  await page.route(FOLLOWING, (route) =>
    (refusals += 1) > 2
      ? route.continue()
      : route.fulfill({ status: 429, json: { code: 'request/rate-limited' } }),
  );
  await page.reload();
  await expect(answers(page).last()).toContainText('word59', { timeout: 20_000 });
  await expect(answers(page)).toHaveCount(1);
  expect(refusals).toBeGreaterThan(2);
});
