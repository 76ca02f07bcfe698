import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { errorTable } from '../src/contract/errors.ts';
import { readConfig } from '../src/server/config/config.ts';
import { startProduct, type Product } from './product.ts';
import { namesIn } from './watching.ts';

/** The files for operators name only what the program has. */

const token = 'a-token-for-prometheus';
let product: Product;
let figures: Set<string>;

beforeAll(async () => {
  product = await startProduct({ operations: { ...readConfig({}).operations, metricsToken: token } });
  const answered = await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  figures = new Set(namesIn(await answered.text()));
});
afterAll(() => product.close());

const read = (file: string): Promise<string> => readFile(file, 'utf8');

/** The metrics named in a Prometheus expression; a histogram's parts count as its metric. */
function namedIn(expression: string): string[] {
  const names = expression.match(/\b(?:parley|process|nodejs)_\w+/g) ?? [];
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}

test('dashboard and alerts use existing metrics', async () => {
  const dashboard = JSON.parse(await read('docs/operations/grafana.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = parse(await read('docs/operations/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(25);
  const unknown = expressions.flatMap(namedIn).filter((name) => !figures.has(name));
  expect(unknown).toEqual([]);
  // Each of our own is used somewhere.
  const ours = [...figures].filter((name) => name.startsWith('parley_'));
  expect(ours.filter((name) => !expressions.flatMap(namedIn).includes(name))).toEqual([]);
});

test('the guide names all our metrics', async () => {
  const guide = await read('docs/guides/operating.md');
  expect([...figures].filter((name) => name.startsWith('parley_') && !guide.includes(`\`${name}\``))).toEqual(
    [],
  );
});

test('the Docker and Kubernetes files can be parsed, and set only known variables', async () => {
  const compose = parse(await read('compose.yaml')) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  expect(Object.keys(compose.services)).toEqual(['parley', 'postgres', 'redis']);
  parse(await read('deploy/helm/parley/Chart.yaml'));
  parse(await read('deploy/helm/parley/values.yaml'));
  const helpers = await read('deploy/helm/parley/templates/_helpers.tpl');
  const set = [
    ...Object.keys(compose.services['parley']?.environment ?? {}),
    ...[...helpers.matchAll(/\{ name: ([A-Z_]+), value/g)].map(([, name = '']) => name),
  ];
  expect(set).toContain('DRAIN_SECONDS');
  const known = (await read('src/server/config/config.ts')) + (await read('src/server/config/operations.ts'));
  expect(set.filter((name) => !known.includes(`  ${name}: `))).toEqual([]);
});

test('the systemd unit lets the server listen on all addresses', async () => {
  const unit = await read('deploy/systemd/parley.service');
  const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
  // Without netlink, Node can't list addresses, and the start fails.
  expect(families.split(' ')).toEqual(['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK']);
});

test('nginx answers for a dead server exactly as the servers do themselves', async () => {
  const conf = await read('deploy/nginx/parley.conf');
  const [, said = ''] = /return 503 '([^']*)'/.exec(conf) ?? [];
  const [status, title] = errorTable['server/unavailable'];
  const { requestId, ...problem } = JSON.parse(said) as Record<string, unknown>;
  expect(problem).toEqual({
    type: '/docs/errors#server/unavailable',
    title,
    status,
    detail: title,
    code: 'server/unavailable',
  });
  expect(requestId).toBe('$request_id');
});

test('chart templates are well-formed without their placeholders', async () => {
  const folder = 'deploy/helm/parley/templates';
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(6);
  for (const file of files) {
    const text = await read(`${folder}/${file}`);
    const opened = text.match(/\{\{-? (?:if|range|with|define)\b/g) ?? [];
    expect([file, opened.length]).toEqual([file, (text.match(/\{\{-? end\b/g) ?? []).length]);
    // Placeholders are replaced with text, and directives on their own lines removed.
    const filled = text
      .replaceAll(/^\s*\{\{-? (?:if|end|range|else)\b.*\}\}\n/gm, '')
      .replaceAll(/: \{\{ (?:include|toYaml) [^\n]*nindent \d+ \}\}(?=\n +\S+: )/g, ':')
      .replaceAll(/"?\{\{[^}]*\}\}"?/g, 'x');
    for (const document of parseAllDocuments(filled)) expect([file, document.errors]).toEqual([file, []]);
  }
});

test('a heap that is too small to start is refused in words, and a small one that is not is taken', () => {
  const start = (HEAP_MB: string) =>
    spawnSync('sh', ['scripts/serve.sh'], {
      env: { ...process.env, HEAP_MB, DATA_DIR: '/proc/none' },
      encoding: 'utf8',
    });
  for (const heap of ['2', '63', '0', '1g'])
    expect(start(heap)).toMatchObject({
      status: 1,
      stderr: 'HEAP_MB: Must be a whole number of megabytes, 64 or more.\n',
    });
  for (const heap of ['64', '1024']) expect(start(heap).stderr).toContain('The data folder /proc/none');
});
