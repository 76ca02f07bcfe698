import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/server/db/embedded.ts';
import type { Client } from '../src/contract/client.ts';
import type { ParleyContract } from '../src/contract/index.ts';
import { registerInBrowser } from '../test/browser-client.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { Child } from './child.ts';
import { percentile, printTable } from './report.ts';

/**
 * How quickly knowledge becomes searchable through the API of a dedicated server: text of 1 and 10 MB, a website on the
 * loopback interface, and a long PDF; also the server's memory meanwhile, and the effect on another organization's
 * chat.
 */
const { values: options } = parseArgs({
  options: {
    /** Where to look for `*.md` files, which are joined into one text. */
    texts: { type: 'string', default: 'node_modules' },
    /** A folder of HTML pages; Debian's `postgresql-doc-15` has 1,172. */
    pages: { type: 'string', default: '/usr/share/doc/postgresql-doc-15/html' },
    'most-pages': { type: 'string', default: '1000' },
    pdf: { type: 'string' },
    only: { type: 'string' },
  },
});

const MEGABYTE = 1_000_000;
/** Frequent enough for seconds of text; a website is polled as rarely as a page would poll it. */
const POLL_MS = 20;
const SITE_POLL_MS = 500;

async function markdownOf(folder: string, bytes: number): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const parts: string[] = [];
  let size = 0;
  for (const entry of entries.filter(({ name }) => name.endsWith('.md'))) {
    if (!entry.isFile() || size >= bytes) continue;
    const text = (await readFile(path.join(entry.parentPath, entry.name), 'utf8')).replaceAll('\0', '');
    parts.push(text);
    size += Buffer.byteLength(text);
  }
  return Buffer.from(parts.join('\n\n')).subarray(0, bytes).toString('utf8').replaceAll('\uFFFD', '');
}

const dataDir = await makeTemporaryFolder('bench');
const postgres = await startEmbeddedPostgres({ dataDir });
const site = await Child.start(
  'bench/ingest-site.ts',
  [options.pages, options['most-pages']],
  {},
  /at (\S+)/,
);
const environment = {
  NODE_ENV: 'production',
  PORT: '0',
  DATA_DIR: dataDir,
  DATABASE_URL: postgres.connectionString,
  LOG_LEVEL: 'warn',
  SEED_DEMO: 'off',
  BILLING_MODE: 'off',
  SSRF_ALLOWED_HOSTS: new URL(site.address).host,
  CRAWL_REQUESTS_PER_SECOND: '10000',
  ...(process.env['BENCH_PROFILE']
    ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env['BENCH_PROFILE']}` }
    : {}),
};
const parley = await Child.parley(environment);

async function prepare(name: string) {
  const { client, token } = await registerInBrowser(parley.address, name);
  const organizationId = (await client.organization.create({ name })).organization.id;
  const { id } = (await client.chatbot.create({ organizationId, name })).chatbot;
  return { client, token, organizationId, id };
}

let peakMib = 0;
const memory = setInterval(() => (peakMib = Math.max(peakMib, parley.residentMib())), 50);

/** From the call that adds the item until it is ready. */
async function untilReady(client: Client<ParleyContract>, id: string, knowledgeId: string, pollMs = POLL_MS) {
  for (;;) {
    const { knowledge } = await client.knowledge.get({ id, knowledgeId });
    if (knowledge.progress.state === 'failed') throw new Error(knowledge.progress.error ?? 'failed');
    if (knowledge.progress.state === 'ready') return knowledge;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

const rows: Record<string, string | number>[] = [];

async function measure(what: string, give: (who: Awaited<ReturnType<typeof prepare>>) => Promise<string>) {
  const who = await prepare(`bench${rows.length}`);
  peakMib = 0;
  const cpu = parley.cpuMs();
  const started = performance.now();
  const knowledge = await untilReady(
    who.client,
    who.id,
    await give(who),
    give === giveSite ? SITE_POLL_MS : POLL_MS,
  );
  const seconds = (performance.now() - started) / 1000;
  rows.push({
    what,
    seconds,
    sources: knowledge.progress.done,
    failed: knowledge.progress.failed,
    chunks: knowledge.chunks,
    MB: knowledge.characters / MEGABYTE,
    'MB/s': knowledge.characters / MEGABYTE / seconds,
    'sources/s': knowledge.progress.done / seconds,
    'CPU s': (parley.cpuMs() - cpu) / 1000,
    'peak MiB': peakMib,
  });
}

function giveFile(name: string, data: Uint8Array<ArrayBuffer>) {
  return async ({ client, organizationId, id }: Awaited<ReturnType<typeof prepare>>) => {
    const { file } = await client.file.upload({ organizationId, media: new File([data], name) });
    const input = { id, organizationId, type: 'file' as const, description: name, files: [file.id] };
    return (await client.knowledge.create(input)).knowledge.id;
  };
}

const giveSite = async ({ client, organizationId, id }: Awaited<ReturnType<typeof prepare>>) => {
  const input = { id, organizationId, type: 'website' as const, links: [`${site.address}/`] };
  return (await client.knowledge.create({ ...input, site: { mode: 'domain' } })).knowledge.id;
};

/** Another organization's chat turns, one after the other, until `end` settles. */
async function chatUntil(end: Promise<unknown>) {
  const { client, organizationId, id } = await prepare(`chat${rows.length}`);
  const text = 'The shop is open from nine to five on working days.';
  const { knowledge } = await client.knowledge.create({
    id,
    organizationId,
    type: 'text',
    description: 'Hours',
    text,
  });
  await untilReady(client, id, knowledge.id);
  const { conversation } = await client.chat.create({ chatbotId: id });
  const times: number[] = [];
  const over = new AbortController();
  void end.finally(() => over.abort());
  while (!over.signal.aborted) {
    const started = performance.now();
    await client.chat.send({ id: conversation.id, text: 'When is the shop open?' });
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return times;
}

const wanted = (what: string): boolean => !options.only || options.only === what;
if (wanted('text')) {
  for (const megabytes of [1, 10]) {
    const text = Buffer.from(await markdownOf(options.texts, megabytes * MEGABYTE));
    await measure(`${megabytes} MB of text`, giveFile('text.md', new Uint8Array(text)));
  }
}
if (wanted('site')) await measure('website', giveSite);
if (options.pdf) await measure('PDF', giveFile('long.pdf', new Uint8Array(await readFile(options.pdf))));
printTable(rows);

const chats: Record<string, string | number>[] = [];
if (wanted('chat')) {
  const addRow = (meanwhile: string, times: number[]) => {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((p) => percentile(times, p));
    chats.push({
      'chat of another organization': meanwhile,
      turns: times.length,
      p50: p50 ?? 0,
      p95: p95 ?? 0,
      p99: p99 ?? 0,
    });
  };
  addRow('warming up', await chatUntil(new Promise((resolve) => setTimeout(resolve, 5000))));
  chats.length = 0;
  addRow('alone', await chatUntil(new Promise((resolve) => setTimeout(resolve, 10_000))));
  addRow('while a website is read', await chatUntil(measure('website', giveSite)));
  printTable(chats);
}

clearInterval(memory);
await mkdir('bench/results', { recursive: true });
await writeFile('bench/results/ingest.json', `${JSON.stringify({ options, rows, chats }, null, 2)}\n`);
for (const child of [parley, site]) await child.stop();
await postgres.stop();
await rm(dataDir, { recursive: true, force: true });
process.exit(0);
