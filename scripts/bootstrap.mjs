// Prepares what the program needs to run on its own Node: packages, and the built browser application and server.
// Plain JavaScript for Node 18 and later, because it runs before anything is installed. Fast when nothing has changed. With `packages`,
// only the packages: what changes least, for a layer of an image.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const node = path.join(root, 'node_modules', '.bin', 'node');

install();
if (process.argv[2] !== 'packages') {
  buildWeb();
  buildServer();
}

/** Installs packages exactly as locked, and again when the lock file changes. The stamp is written last, so a broken install is redone. */
function install() {
  const stamp = path.join(root, 'node_modules', '.parley-installed');
  const key = hashOf([path.join(root, 'package-lock.json')], (file) => readFileSync(file));
  if (existsSync(node) && read(stamp) === key) return;
  say('Installing packages …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, key);
}

function buildWeb() {
  build('the browser application', {
    config: 'vite.config.ts',
    sources: [
      'src/web',
      'src/contract',
      'vite.embed.config.ts',
      'vite.widget.config.ts',
      'contract-as-data.ts',
      'page-list.ts',
    ],
    makes: 'web/widget.js',
    stamp: '.web-built',
  });
}

function buildServer() {
  build('the server', {
    config: 'vite.server.config.ts',
    sources: ['src/server', 'src/contract', 'package.json'],
    makes: 'server/main.js',
    stamp: '.server-built',
  });
}

/** Builds once for the same sources. The stamp is written last, so a broken build is redone. */
function build(what, { config, sources, makes, stamp: stampName }) {
  const folder = path.join(root, 'dist');
  const stamp = path.join(folder, stampName);
  const files = [...sources, config, 'package-lock.json'].flatMap((name) => filesOf(path.join(root, name)));
  const key = hashOf(files, (file) => `${statSync(file).size} ${statSync(file).mtimeMs}`);
  if (read(stamp) === key && existsSync(path.join(folder, makes))) return;
  say(`Building ${what} …`);
  run(node, [
    path.join('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '-c',
    config,
    '--logLevel',
    'error',
  ]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(stamp, key);
}

function filesOf(place) {
  return statSync(place).isDirectory() ? filesBelow(place) : [place];
}

function filesBelow(folder) {
  return (
    readdirSync(folder, { withFileTypes: true, recursive: true })
      // Files written by the build itself aren't sources.
      .filter((entry) => entry.isFile() && !entry.name.includes('.gen.'))
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
      .sort()
  );
}

function hashOf(files, describe) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update(`\n${path.relative(root, file)}\n`).update(describe(file));
  return hash.digest('hex');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) say(`${program} could not be run: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function say(text) {
  process.stdout.write(`  ${text}\n`);
}
