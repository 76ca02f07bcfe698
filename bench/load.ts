import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { cases, type Row } from './load/cases.ts';
import { Stage } from './load/stage.ts';
import { printTable } from './report.ts';

/**
 * What an installation can handle: L1 to L6 of docs/performance.md with everything included (sign-in, retrieval,
 * saving, counting), a provider that answers over loopback, and clients and database on the same machine. `--only
 * L1,L3`, `--seconds 600`. Times in milliseconds unless labeled otherwise. Each case restarts the server.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(cases).join(',') },
    seconds: { type: 'string', default: '60' },
  },
});
const file = 'bench/results/load.json';
const seconds = Number(options.seconds);
const results = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, object>;
for (const name of options.only.split(',')) {
  const run = cases[name];
  if (!run) throw new Error(`Unknown case: ${name}.`);
  const stage = await Stage.start();
  const rows: Row[] = await run(stage, seconds);
  await stage.close();
  printTable(rows);
  console.log('');
  results[name] = { seconds, rows };
}
await mkdir('bench/results', { recursive: true });
await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
process.exit(0);
