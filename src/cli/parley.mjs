#!/usr/bin/env node
// The program runs on the project's own Node. Plain JavaScript for Node 18 and later, because it is what finds that one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url));
/** What is done on the machine of an installation, not over its API. */
const operations = ['backup', 'restore', 'doctor', 'rotate-secret'];
const program = operations.includes(process.argv[2]) ? '../server/operations/main.ts' : 'main.ts';
const main = fileURLToPath(new URL(program, import.meta.url));

if (existsSync(node)) {
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C reaches both; the program decides what becomes of it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
} else {
  process.stderr.write(
    'parley: its packages are not installed. Run "npm start" or "npm ci" once in its folder.\n',
  );
  process.exit(1);
}
