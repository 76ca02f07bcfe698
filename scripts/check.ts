import { spawnSync } from 'node:child_process';

/** `npm run check`: types, lint including the import rules, format, and the order of migrations. */
const node = process.execPath;
const steps: [label: string, args: string[]][] = [
  ['types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']],
  ['lint', ['node_modules/oxlint/bin/oxlint', '--deny-warnings', 'src', 'test', 'scripts', 'bench']],
  ['format', ['node_modules/oxfmt/bin/oxfmt', '--check', 'src', 'test', 'scripts', 'bench']],
  ['migrations', ['node_modules/drizzle-kit/bin.cjs', 'check']],
];

let failed = false;
for (const [label, args] of steps) {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${label}`);
  if (status !== 0) {
    failed = true;
    console.log(stdout, stderr);
  }
}
process.exit(failed ? 1 : 0);
