import { mkdir } from 'node:fs/promises';
import { chromium, type Page } from '@playwright/test';
import { chromiumPath } from '../test/chromium.ts';
import { Server, startSite } from '../test/e2e/server.ts';

/** Retakes the README's screenshots into docs/images, from a fresh installation. */
const folder = 'docs/images';
const GUIDES_READ_MS = 30_000;
const site = await startSite();
const server = await Server.start({ SSRF_ALLOWED_HOSTS: site.host });
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu'],
});

async function shoot(page: Page, name: string): Promise<void> {
  // Without the last action's toast, and with all motion finished.
  await page.getByText(/file added|Knowledge added/).waitFor({ state: 'hidden' });
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/${name}.png` });
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: /Message|Ask/ }).fill(question);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Regenerate' }).last().waitFor();
}

try {
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(server.url);
  // The demo agent is still reading its guides.
  await page.waitForTimeout(GUIDES_READ_MS);
  await ask(page, 'How do I start Parley?');
  await page.getByText('npm start', { exact: true }).waitFor();
  await shoot(page, 'front');
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('zlib desk');
  await page.getByLabel('What should it know?').fill(`http://${site.host}/zlib_how.html`);
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('link', { name: 'Add knowledge' }).first().click();
  await page.getByRole('link', { name: /^Files/ }).click();
  await page.locator('input[type=file]').setInputFiles('test/fixtures/libtasn1.pdf');
  await page.getByText('Ready', { exact: true }).nth(1).waitFor();
  await ask(page, 'What buffer sizes should be used if the memory is available?');
  await shoot(page, 'knowledge');
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('link', { name: 'Open chat' }).first().click();
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  await ask(page, 'What buffer sizes should be used if the memory is available?');
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .click();
  await shoot(page, 'chat');
} finally {
  await browser.close();
  await server.remove();
  await site.close();
}
