import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import sharp from 'sharp';
import { encode } from 'uqr';
import { skinIds, skins } from '../../src/contract/skins.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { graveFaults } from './axe.ts';
import { HostPage } from './host-page.ts';
import { startOwner, type Owner } from './owner.ts';
import { Server } from './server.ts';

/** An agent's look and how it is shared: what an owner chooses there, and what others then see and run. */

const ANSWER = 'I only know about lamps.';

let server: Server;
let host: HostPage;
let owner: Owner;
let settings: string;

test.beforeAll(async () => {
  server = await Server.start({ SEED_DEMO: 'off', GUEST_CONVERSATIONS_PER_HOUR: '1000' });
  host = await HostPage.start(server.url);
  owner = await startOwner(server);
  settings = `${owner.agentBase}/settings`;
  const { agentId: id, organizationId } = owner;
  await owner.client.chatbot.update({
    id,
    organizationId,
    isPublic: true,
    enableKnowledgeBaseMode: true,
    fallbackMessage: ANSWER,
    conversationStarters: ['Which lamps?', 'How bright?'],
  });
});
test.afterAll(async () => {
  await host.close();
  await server.remove();
});
test.beforeEach(({ context }) => owner.signIn(context));
test.afterEach(({ context }) => owner.keepSession(context));

const rgb = (hex: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

async function publish(): Promise<void> {
  const { agentId: id, organizationId, client } = owner;
  const { version } = (await client.chatbot.get({ id, organizationId })).chatbot;
  await client.version.publish({ id, organizationId, number: version });
}

/** The background of the composer's container. */
const backgroundOf = (page: Page) =>
  page
    .getByRole('textbox', { name: 'Message' })
    .evaluate((field) => getComputedStyle(field.closest('div[style]') ?? document.body).backgroundColor);

test('a skin is chosen by keyboard, previewed, and applied to page and widget once live', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await publish();
  await page.goto(`${settings}/profile/skins`);
  const { harbour } = skins;
  await page.getByRole('radio', { name: 'Parley' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Harbour' })).toBeChecked();
  const panel = page.getByRole('figure', { name: 'Page' }).locator('[style*="--surface"]');
  await expect(panel).toHaveCSS('background-color', rgb(harbour.light.background));
  await page.getByRole('radiogroup', { name: 'Show the preview in' }).getByText('Dark').click();
  await expect(panel).toHaveCSS('background-color', rgb(harbour.dark.background));

  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const link = `${server.url}/chat/${owner.agentId}`;
  await page.goto(link);
  expect(await backgroundOf(page)).not.toBe(rgb(harbour.light.background));
  await publish();
  await page.reload();
  await expect.poll(() => backgroundOf(page)).toBe(rgb(harbour.light.background));

  await page.goto(host.page({ 'data-agent': owner.agentId }));
  const launcher = page.locator('parley-widget button.launcher');
  await expect(launcher).toHaveCSS('background-color', rgb(harbour.accent));
  await launcher.click();
  const frame = page.locator('parley-widget iframe').contentFrame();
  await expect(frame.locator('main')).toHaveCSS('background-color', rgb(harbour.light.background));
  await expect(page.locator('parley-widget .panel')).toHaveCSS('border-radius', `${harbour.radius}px`);
});

test('changing a color turns a skin into a custom one, and shows its contrast', async ({ page }) => {
  await page.goto(`${settings}/profile/skins`);
  await page.getByRole('radio', { name: 'Citrus' }).check({ force: true });
  const text = page.getByRole('textbox', { name: 'Text, Light', exact: true });
  await text.fill('#no');
  await expect(page.getByText('Must be a colour like #5b5bd6.')).toBeVisible();
  await text.fill('#c9c9c9');
  await expect(page.getByRole('radio', { name: 'Your own' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Accent', exact: true })).toHaveValue(skins.citrus.accent);
  await expect(
    page.getByText(/In light, the text’s contrast with the background is 1.\d to 1/),
  ).toBeVisible();

  await page.getByRole('link', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(text).toHaveValue('#c9c9c9');
  await page.getByRole('link', { name: 'Share', exact: true }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/share$/);
});

test('a logo is uploaded, shown in the preview, and appears on the page', async ({ page }) => {
  const wide = { width: 320, height: 64, channels: 3, background: '#1d7ea3' } as const;
  const png = await sharp({ create: wide }).png().toBuffer();
  await page.goto(`${settings}/profile/skins`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: png });
  await expect(page.getByRole('img', { name: 'The logo' })).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await publish();
  await page.goto(`${server.url}/chat/${owner.agentId}`);
  const logo = page
    .locator('header')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .locator('img');
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
});

test('starters are added, moved by keyboard and removed, and a language is chosen', async ({ page }) => {
  await page.goto(`${settings}/profile`);
  await page.getByRole('button', { name: 'Add a starter' }).click();
  await expect(page.getByRole('textbox', { name: 'Starter 3' })).toBeFocused();
  await page.keyboard.type('How long do they last?');
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(page.getByRole('textbox', { name: 'Starter 1' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Starter 1' })).toHaveValue('How long do they last?');
  await page.getByRole('button', { name: 'Move down: Starter 1' }).click();
  await expect(page.getByRole('button', { name: 'Move down: Starter 2' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove: Starter 3' }).click();
  await page.getByRole('combobox', { name: 'Answer language' }).selectOption('German');
  await page.getByRole('textbox', { name: 'Website' }).fill('nonsense');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Must be an http or https address.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Website' }).fill('lamps.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const { chatbot } = await owner.client.chatbot.get({
    id: owner.agentId,
    organizationId: owner.organizationId,
  });
  expect(chatbot).toMatchObject({
    conversationStarters: ['Which lamps?', 'How long do they last?'],
    language: 'de',
    website: 'https://lamps.example',
  });
});

test('the QR code contains the link, and can be downloaded', async ({ page }) => {
  await page.goto(`${settings}/share`);
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  const { size, data } = encode(link, { ecc: 'M', border: 4 });
  const code = page.getByRole('img', { name: 'QR code of the link' });
  const drawn = (await code.locator('path').last().getAttribute('d')) ?? '';
  const cells = [...drawn.matchAll(/M(\d+) (\d+)/g)].map(([, x, y]) => `${x} ${y}`);
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : [])));
  expect(cells).toEqual(dark);

  const save = async (name: string) => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return sharp(await (await saved).path())
      .resize(size, size, { kernel: 'nearest' })
      .greyscale()
      .raw()
      .toBuffer();
  };
  const pixels = data.flatMap((row) => row.map((isDark) => isDark));
  for (const name of ['Download SVG', 'Download PNG'])
    expect([...(await save(name))].map((value) => value < 128)).toEqual(pixels);
});

test('allowed sites are listed as browsers write them', async ({ page }) => {
  await page.goto(`${settings}/share`);
  await page.getByRole('button', { name: 'Add a site' }).click();
  const site = page.getByRole('textbox', { name: 'Site 1' });
  await site.fill('shop.example');
  const form = page.locator('form').filter({ has: page.getByRole('group', { name: 'Allowed sites' }) });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/Must be like https:\/\/shop.example/)).toBeVisible();
  await site.fill('https://Shop.example/');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(site).toHaveValue('https://shop.example');
  await page.getByRole('button', { name: 'Remove: Site 1' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('an agent’s address is chosen, and one already taken is refused at the field', async ({ page }) => {
  await page.goto(`${settings}/share`);
  const form = page.locator('form').filter({ has: page.getByLabel('Address', { exact: true }) });
  const address = form.getByLabel('Address', { exact: true });
  const before = await address.inputValue();
  const { client, organizationId } = owner;
  const { chatbot: other } = await client.chatbot.create({ organizationId, name: 'Other' });
  await address.fill(other.handle);
  await expect(form.getByText(/stop working when you save/)).toBeVisible();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Another agent has this address.')).toBeVisible();
  await address.fill('Not an address');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Use lowercase letters, digits and single hyphens.')).toBeVisible();
  await address.fill('shop-help');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('textbox', { name: 'Link' })).toHaveValue(/\/chat\/shop-help$/);
  await page.goto(`${server.url}/chat/shop-help`);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  await page.goto(`${server.url}/chat/${before}`);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeHidden();
});

const run = promisify(execFile);

const programs: Record<string, { program: string; ending: string }> = {
  curl: { program: 'bash', ending: 'sh' },
  JavaScript: { program: process.execPath, ending: 'mjs' },
  Python: { program: 'python3', ending: 'py' },
};

/** Runs a sample as a reader would, with the key in its environment. */
async function runSample(language: string, code: string, key: string): Promise<string> {
  const folder = await makeTemporaryFolder('sample');
  const { program = '', ending } = programs[language] ?? {};
  const file = path.join(folder, `sample.${ending}`);
  await writeFile(file, code);
  try {
    return (await run(program, [file], { env: { ...process.env, PARLEY_AGENT_KEY: key } })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const hasRequests = await run('python3', ['-c', 'import requests']).then(
  () => true,
  () => false,
);

test('a key is created, and the samples run with it unchanged; once replaced, it is refused', async ({
  page,
}) => {
  await page.goto(`${settings}/share`);
  let made = 0;
  page.on('request', (request) => (made += Number(request.url().endsWith('/api-key'))));
  await page.getByRole('button', { name: 'Create key' }).dblclick();
  const shown = page.getByRole('dialog', { name: 'Your new key' });
  const key = await shown.getByRole('textbox', { name: 'Key' }).inputValue();
  expect(made).toBe(1);
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/Key in use: parleyagent_/)).toBeVisible();

  const sample = async (language: string, way: string) => {
    await page.getByRole('radiogroup', { name: 'Language' }).getByText(language).click();
    await page.getByRole('radiogroup', { name: 'Answer' }).getByText(way).click();
    return (await page.getByRole('region', { name: `Sample: ${language}` }).textContent()) ?? '';
  };
  for (const language of ['curl', 'JavaScript', ...(hasRequests ? ['Python'] : [])])
    for (const way of ['Complete', 'Streamed']) {
      const said = await runSample(language, await sample(language, way), key);
      if (language === 'curl' && way === 'Streamed') expect(said).toContain('data: {"type":"text-delta"');
      else expect(said, `${language}, ${way}`).toContain(ANSWER);
    }

  const code = await sample('JavaScript', 'Complete');
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  await expect(shown.getByRole('textbox', { name: 'Key' })).not.toHaveValue(key);
  await expect(runSample('JavaScript', code, key)).rejects.toThrow();
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByText('No key yet.')).toBeVisible();
});

test('a secret for signed users is shown once, and can be revoked', async ({ page }) => {
  await page.goto(`${settings}/share`);
  await page.getByRole('button', { name: 'Create secret' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new embed secret' });
  const secret = await shown.getByRole('textbox', { name: 'Secret' }).inputValue();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Tokens signed with the embed secret (HS256) are accepted.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Replace secret' })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Stop accepting tokens' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop accepting tokens' }).click();
  await expect(page.getByText('Tokens are not accepted.', { exact: true })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [360, 1440])
    test(`axe finds nothing serious in ${colorScheme} at ${width} px, and nothing is clipped`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      for (const place of ['profile', 'profile/skins', 'share']) {
        await page.goto(`${settings}/${place}`);
        await page.getByRole('button', { name: 'Save' }).first().waitFor();
        await page.waitForLoadState('networkidle');
        expect(await graveFaults(page), place).toEqual([]);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflow, place).toBe(0);
      }
    });

test('a conversation is readable in every skin, in light and dark, as page and as widget', async ({
  page,
}) => {
  const { client, organizationId } = owner;
  const { id } = (await client.chatbot.create({ organizationId, name: 'Helper' })).chatbot;
  const shown = { isPublic: true, enableKnowledgeBaseMode: true, fallbackMessage: ANSWER };
  await client.chatbot.update({ id, organizationId, ...shown });
  const unread = async (what: string) =>
    (await graveFaults(page, { rules: ['color-contrast'] })).map((fault) => `${what}: ${fault}`);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const place of [`${server.url}/embed/${id}`, `${server.url}/chat/${id}`]) {
    await page.goto(place);
    await page.getByRole('textbox', { name: 'Message' }).fill('Lamps?');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('listitem').getByText(ANSWER)).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    for (const skin of skinIds) {
      await client.chatbot.update({ id, organizationId, appearance: { skin, font: skins[skin].font } });
      await page.reload();
      await expect(page.getByRole('listitem').getByText(ANSWER)).toBeVisible();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        expect(await unread(`${skin}, ${colorScheme}`)).toEqual([]);
      }
    }
  }
});

test('forced colors still show which tab is open and what is switched on', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`${settings}/instructions`);
  const background = (element: Element) => getComputedStyle(element).backgroundColor;
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  const open = await tabs.getByRole('link', { name: 'Instructions' }).evaluate(background);
  expect(open).not.toBe(await tabs.getByRole('link', { name: 'Model' }).evaluate(background));
  const choice = page.getByRole('switch', { name: 'Answer only from knowledge' });
  const track = () =>
    choice.evaluate((input) => {
      const { backgroundColor, borderTopColor } = getComputedStyle(input.nextElementSibling ?? input);
      return { backgroundColor, borderTopColor };
    });
  const on = await track();
  await choice.press('Space');
  await expect(choice).not.toBeChecked();
  await expect.poll(async () => (await track()).backgroundColor).not.toBe(on.backgroundColor);
  const off = await track();
  expect(off.borderTopColor).not.toBe(off.backgroundColor);
});
