import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from '@playwright/test';
import { chromiumPath } from '../test/chromium.ts';
import { Server } from '../test/e2e/server.ts';
import { printTable } from './report.ts';

/**
 * The JavaScript a fresh browser downloads before any interaction with the page: builds the application, serves it,
 * opens each page in Chromium, and adds up the scripts that arrived, each compressed with gzip. In bytes.
 */

interface Row extends Record<string, string | number> {
  page: string;
  scripts: number;
  gzipBytes: number;
  /** The maximum allowed. */
  limit: number;
}

const KIB = 1024;
/** For the pages a visitor starts on. */
const FIRST_PAGE = 150 * KIB;

function build(): void {
  const { status } = spawnSync(process.execPath, ['scripts/bootstrap.mjs'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed.');
}

/** Includes everything the page fetches on its own until it goes quiet. */
async function measure(
  browser: Browser,
  page: string,
  { url, limit, before }: { url: string; limit: number; before?: (page: Page) => Promise<void> },
): Promise<Row> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  await before?.(await context.newPage());
  const tab = await context.newPage();
  const scripts = new Map<string, Promise<number>>();
  tab.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    const size = response.body().then((body) => gzipSync(body, { level: 9 }).length);
    scripts.set(response.url(), size);
  });
  await tab.goto(url, { waitUntil: 'networkidle' });
  const sizes = await Promise.all(scripts.values());
  await context.close();
  return { page, scripts: sizes.length, gzipBytes: sizes.reduce((sum, size) => sum + size, 0), limit };
}

/** The session cookies belong to the context, so the next page is a member's. */
async function becomeMember(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Start building' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Start building' }).click();
  await page.getByRole('link', { name: 'Create agent' }).first().waitFor();
}

build();
const server = await Server.start();
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const { url } = server;
  const widget = await (await fetch(`${url}/widget.js`)).arrayBuffer();
  const rows: Row[] = [
    await measure(browser, '/', { url, limit: FIRST_PAGE }),
    await measure(browser, '/chat', { url: `${url}/chat`, limit: FIRST_PAGE }),
    await measure(browser, '/chat with an agent', { url: `${url}/chat/parley`, limit: FIRST_PAGE }),
    await measure(browser, '/embed', { url: `${url}/embed/parley`, limit: 60 * KIB }),
    {
      page: '/widget.js',
      scripts: 1,
      gzipBytes: gzipSync(new Uint8Array(widget), { level: 9 }).length,
      limit: 4 * KIB,
    },
    await measure(browser, 'dashboard', {
      url: `${url}/platform`,
      limit: 260 * KIB,
      before: (page) => becomeMember(page, url),
    }),
  ];
  printTable(rows);
  await mkdir('bench/results', { recursive: true });
  await writeFile('bench/results/sizes.json', `${JSON.stringify({ rows }, null, 2)}\n`);
  if (rows.some(({ gzipBytes, limit }) => gzipBytes > limit)) process.exitCode = 1;
} finally {
  await browser.close();
  await server.remove();
}
