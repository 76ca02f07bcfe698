import { expect, test } from '@playwright/test';
import { answers, ask, askWhole, region, startDesk, type Desk } from './desk.ts';

/** Other versions of answers over a slow connection, and of messages far above the end. */

let desk: Desk;

test.beforeAll(async () => {
  desk = await startDesk();
});
test.afterAll(() => desk.close());

const isReading = (url: string, method: string) => method === 'GET' && /\/message\?count=/.test(url);

for (const held of ['a question', 'an answer'] as const)
  test(`a late response, ${held} on a slow line, does not displace a newer question`, async ({ page }) => {
    await desk.begin(page);
    await askWhole(page, desk, 'First', 'One answer.');
    const released = Promise.withResolvers<void>();
    const isHeld = page.waitForRequest((request) => isReading(request.url(), request.method()));
    await page.route('**/v1/chat/*/message?*', async (route) => {
      if (held === 'a question') await released.promise;
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    desk.say('Another answer.');
    await page.getByRole('button', { name: 'Regenerate' }).last().click();
    await isHeld;
    const whole = 'Said once, from its beginning to its end, while something else is being read.';
    desk.say(whole, 400);
    await ask(page, 'Second');
    await expect(answers(page).last()).toContainText('Said once');
    released.resolve();
    const seen: string[] = [];
    await expect(async () => {
      seen.push((await answers(page).last().locator('p').last().innerText()).trim());
      expect(seen.at(-1)).toBe(whole);
    }).toPass({ intervals: [200] });
    for (const text of seen) expect(whole.startsWith(text)).toBe(true);
    await expect(page.getByText('2 / 2')).toBeVisible();
    // Requests still in progress at that point don't matter.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

test('another version of an early message opens at that message, however long it continues', async ({
  page,
}) => {
  const { client, agentId, signIn, keepSession } = desk.owner;
  desk.say('An answer.');
  const { id } = (await client.chat.create({ chatbotId: agentId })).conversation;
  const { message } = await client.chat.send({ id, text: 'How it began' });
  for (let number = 1; number <= 30; number += 1) await client.chat.send({ id, text: `Then ${number}` });
  await client.chat.edit({ id, messageId: message.id, text: 'How it could have begun' });
  await signIn(page.context());
  await page.goto(`${desk.server.url}/chat/${id}`);
  const previous = page.getByRole('button', { name: 'Previous version' });
  await previous.click();
  await expect(region(page).getByText('How it began')).toBeInViewport();
  await expect(page.getByText('1 / 2')).toBeInViewport();
  await expect(previous).toBeFocused();
  await keepSession(page.context());
});
