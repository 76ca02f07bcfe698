import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromiumPath } from '../test/chromium.ts';
import { Server } from '../test/e2e/server.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { percentile, printTable } from './report.ts';
import { signUp } from './sign-up.ts';

/**
 * Lighthouse on the built application: the front page, a chat, and the dashboard of a user with three agents, with its
 * desktop preset (a fast line, no CPU throttling) and with its defaults (a slow phone on a slow line). Scores out of
 * 100, medians of five runs; Lighthouse is fetched from the npm registry. Run it on an otherwise idle machine.
 */

const LIGHTHOUSE = 'lighthouse@13.5.0';
const TIMEOUT_MS = 120_000;
/** On a shared machine a page's score varies by ten and more from run to run. */
const RUNS = 5;
const categories = ['performance', 'accessibility', 'best-practices'] as const;

interface Report {
  categories: Record<(typeof categories)[number], { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
}

async function judge(url: string, preset: 'desktop' | 'phone', cookie?: string): Promise<Report> {
  const file = path.join(await makeTemporaryFolder('lighthouse'), 'report.json');
  const flags = [
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-background-networking',
    ...(preset === 'desktop' ? ['--preset=desktop'] : []),
    ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ];
  const child = spawn('npx', ['--yes', LIGHTHOUSE, ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CHROME_PATH: chromiumPath },
    timeout: TIMEOUT_MS,
  });
  await new Promise((resolve) => child.once('exit', resolve));
  return JSON.parse(await readFile(file, 'utf8')) as Report;
}

/** The median of each figure separately. Times are in seconds except `blockedMs`. */
function medians(reports: readonly Report[]) {
  const median = (values: number[]) => percentile(values, 0.5);
  const score = (category: (typeof categories)[number]) =>
    median(reports.map(({ categories: scores }) => Math.round(100 * (scores[category].score ?? 0))));
  const figure = (audit: string) => median(reports.map(({ audits }) => audits[audit]?.numericValue ?? NaN));
  const seconds = (audit: string) => Math.round(figure(audit) / 100) / 10;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    firstPaint: seconds('first-contentful-paint'),
    largestPaint: seconds('largest-contentful-paint'),
    blockedMs: Math.round(figure('total-blocking-time')),
  };
}

const server = await Server.start();
try {
  const { cookie, organizationId } = await signUp(server.url);
  const pages = [
    ['front page', '/', undefined],
    ['chat', '/chat/parley', undefined],
    ['dashboard', `/platform/${organizationId}/agent`, cookie],
  ] as const;
  const rows = [];
  for (const [name, address, cookies] of pages)
    for (const preset of ['desktop', 'phone'] as const) {
      const reports = [];
      for (let run = 0; run < RUNS; run++) reports.push(await judge(server.url + address, preset, cookies));
      rows.push({ page: name, preset, ...medians(reports) });
    }
  printTable(rows);
  await mkdir('bench/results', { recursive: true });
  await writeFile('bench/results/web.json', `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  await server.remove();
}
