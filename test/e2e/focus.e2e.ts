import { expect, test, type Locator, type Page } from '@playwright/test';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** Keyboard users continue where they were, even if what they pressed is gone. */

let server: Server;
let owner: Owner;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off' });
  owner = await startOwner(server);
});
test.afterAll(() => server.remove());
test.beforeEach(({ context }) => owner.signIn(context));
test.afterEach(({ context }) => owner.keepSession(context));

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });

async function addKnowledge(descriptions: string[]): Promise<void> {
  const { client, agentId: id, organizationId } = owner;
  for (const description of descriptions) {
    const text = `About ${description}.`;
    await client.knowledge.create({ id, organizationId, type: 'text', description, text });
  }
}

test('a button that disappears passes focus to what takes its place', async ({ page }) => {
  const { client, agentId: id, organizationId, agentBase } = owner;
  const { url } = await client.connect.link({ organizationId });
  await page.goto(url);
  await button(page, 'Everything is given').click();
  await expect.poll(async () => (await client.connect.get({ organizationId })).account.state).toBe('ready');
  for (const code of ['FIRST', 'SECOND', 'THIRD'])
    await client.coupon.create({ organizationId, code, percentOff: 10 });
  await page.goto(`${agentBase}/pricing-plans`);
  await button(page, 'End code SECOND').press('Enter');
  await button(page.getByRole('dialog'), 'End code').press('Enter');
  await expect(page.getByRole('row', { name: /SECOND.*Ended/ })).toBeVisible();
  await expect(button(page, 'End code FIRST')).toBeFocused();
  await page.keyboard.press('Enter');
  await button(page.getByRole('dialog'), 'End code').press('Enter');
  await expect(button(page, 'End code THIRD')).toBeFocused();

  const { product } = await client.product.create({ organizationId, agentId: id });
  await page.goto(`${agentBase}/pricing-plans/${product.id}`);
  await button(page, 'Put up for sale').press('Shift');
  // The focused element is pressed.
  await button(page, 'Put up for sale').click();
  await expect(button(page, 'Take off sale')).toBeFocused();

  await client.version.publish({ id, organizationId, number: 1 });
  await client.chatbot.update({ id, organizationId, customInstructions: 'You are brief.' });
  await page.goto(`${agentBase}/settings/instructions`);
  await button(page, 'Publish').press('Enter');
  await button(page.getByRole('dialog'), 'Publish').press('Enter');
  await expect(button(page, 'Publish')).toHaveCount(0);
  await expect(page.getByRole('main').locator(':focus')).toBeVisible();
});

test('a disabled button passes focus on, and regains it once enabled', async ({ page }) => {
  await page.goto(`${owner.agentBase}/settings/instructions`);
  await page.getByLabel('Instructions', { exact: true }).fill('You are friendly.');
  await button(page, 'Save').press('Enter');
  await expect(button(page, 'Save')).toBeDisabled();
  const field = page.getByRole('main').locator('textarea:focus');
  await expect(field).toBeVisible();
  await page.keyboard.type(' And brief.');
  await expect(button(page, 'Save')).toBeEnabled();
  await expect(field).toHaveValue(/And brief\./);
});

test('an invalid field shows that it has focus', async ({ page }) => {
  await page.goto(`${owner.base}/agent/create`);
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('x');
  await name.fill('');
  await name.press('Tab');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(name).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Shift+Tab');
  await expect(name).toBeFocused();
  await expect(name).toHaveCSS('outline-style', 'solid');
});

test('focus returns after a dialog is closed immediately', async ({ page }) => {
  await page.goto(`${owner.base}/account/teams`);
  const opener = button(page.getByRole('main'), 'Create team').first();
  for (const delay of [0, 10, 40, 120]) {
    await opener.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.waitForTimeout(delay);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
});

test('deleting an item moves focus to the next in the list, and a new page starts at its beginning', async ({
  page,
}) => {
  await addKnowledge(['Prices', 'Hours', 'Ways']);
  await page.goto(`${owner.agentBase}/knowledge`);
  await button(page, 'Actions for Hours').press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await button(page.getByRole('dialog'), 'Delete').press('Enter');
  await expect(page.getByText('Hours', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('table').locator(':focus')).toBeVisible();
  await page.getByRole('link', { name: 'Prices', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Prices' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('focus is restored even if its code loads while a dialog is open', async ({ page }) => {
  await addKnowledge(['First', 'Second', 'Third']);
  // The script that does this, among all of them; its name is a hash.
  let isThere = false;
  await page.route('**/assets/*.js', async (route) => {
    const response = await route.fetch();
    const isIt = (await response.text()).includes('comparePoint');
    if (isIt) await page.getByRole('dialog').waitFor();
    await route.fulfill({ response });
    isThere ||= isIt;
  });
  await page.goto(`${owner.agentBase}/knowledge`);
  await button(page, 'Actions for Second').press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
  await expect.poll(() => isThere).toBe(true);
  await button(page.getByRole('dialog'), 'Delete').press('Enter');
  await expect(page.getByText('Second', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('table').locator(':focus')).toBeVisible();
});

test('on a phone a fixed bar never covers the focused element', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const address of [`${server.url}/app/account`, `${owner.agentBase}/settings/profile`]) {
    await page.goto(address);
    await expect(page.getByRole('main').getByRole('button').first()).toBeVisible();
    const behind: string[] = [];
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element?.closest('main')) return null;
        const { x, y, width, height } = element.getBoundingClientRect();
        const above = document.elementFromPoint(x + width / 2, Math.min(innerHeight - 1, y + height / 2));
        const isSeen =
          above &&
          (element.contains(above) || element.parentElement?.contains(above) || above.contains(element));
        return isSeen ? null : element.outerHTML.slice(0, 200);
      });
      if (name !== null) behind.push(name);
    }
    expect(behind).toEqual([]);
  }
});
