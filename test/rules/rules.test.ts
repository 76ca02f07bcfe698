import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A violation of each rule: the file's path, its code, and the rule that must reject it. */
const wrong: [what: string, file: string, code: string, rule: string][] = [
  [
    'the contract imports the server',
    'src/contract/x.ts',
    `import '../server/config/config.ts';`,
    'no-restricted-imports',
  ],
  [
    'the contract imports a package other than zod',
    'src/contract/x.ts',
    `import 'fastify';`,
    'no-restricted-imports',
  ],
  [
    'a feature imports another feature’s handlers',
    'src/server/features/a/x.ts',
    `import '../b/handlers.ts';`,
    'no-restricted-imports',
  ],
  [
    'a nested file of a feature imports another feature',
    'src/server/features/a/read/x.ts',
    `import '../../b/rule.ts';`,
    'no-restricted-imports',
  ],
  ['a feature imports Fastify', 'src/server/features/a/x.ts', `import 'fastify';`, 'no-restricted-imports'],
  [
    'a feature imports the HTTP layer',
    'src/server/features/a/x.ts',
    `import '../../http/bind.ts';`,
    'no-restricted-imports',
  ],
  [
    'a port imports a feature',
    'src/server/mail/x.ts',
    `import '../features/user/store.ts';`,
    'no-restricted-imports',
  ],
  [
    'the server imports the browser’s code',
    'src/server/http/x.ts',
    `import '../../web/api/api.ts';`,
    'no-restricted-imports',
  ],
  [
    'a request is made outside the egress module',
    'src/server/llm/x.ts',
    `await fetch('http://example.com');`,
    'no-restricted-globals',
  ],
  [
    'undici is used outside the egress module',
    'src/server/llm/x.ts',
    `import 'undici';`,
    'no-restricted-imports',
  ],
  ['a feature opens a socket', 'src/server/features/a/x.ts', `import 'node:net';`, 'no-restricted-imports'],
  [
    'egress imports a feature',
    'src/server/egress/x.ts',
    `import '../features/user/store.ts';`,
    'no-restricted-imports',
  ],
  [
    'the command line imports the server',
    'src/cli/x.ts',
    `import '../server/config/config.ts';`,
    'no-restricted-imports',
  ],
  [
    'the browser imports the server',
    'src/web/x.ts',
    `import '../server/config/config.ts';`,
    'no-restricted-imports',
  ],
  ['the browser imports Node', 'src/web/features/a/x.ts', `import 'node:fs';`, 'no-restricted-imports'],
  [
    'a web feature imports another',
    'src/web/features/a/x.ts',
    `import '../b/screen.tsx';`,
    'no-restricted-imports',
  ],
  [
    'the design system imports a feature',
    'src/web/ui/x.ts',
    `import '../features/a/screen.tsx';`,
    'no-restricted-imports',
  ],
  ['the design system imports data', 'src/web/ui/x.ts', `import '../api/api.ts';`, 'no-restricted-imports'],
  [
    'what web features share imports one of them',
    'src/web/forms/x.ts',
    `import '../features/a/screen.tsx';`,
    'no-restricted-imports',
  ],
  ['the conversation imports data', 'src/web/chat/x.ts', `import '../api/api.ts';`, 'no-restricted-imports'],
  [
    'the conversation imports Mantine',
    'src/web/chat/x.ts',
    `import '@mantine/core';`,
    'no-restricted-imports',
  ],
  [
    'the conversation imports the router',
    'src/web/chat/x.ts',
    `import '@tanstack/react-router';`,
    'no-restricted-imports',
  ],
  [
    'the browser calls what Safari 17 does not have',
    'src/web/chat/x.ts',
    `export const x = URL.parse('https://example.com');`,
    'no-restricted-properties',
  ],
  [
    'HTML is set as text',
    'src/web/x.tsx',
    `export const X = () => <p dangerouslySetInnerHTML={{ __html: '' }} />;`,
    'no-danger',
  ],
  [
    'the environment is read outside config.ts',
    'src/server/http/x.ts',
    `export const x = process.env['X'];`,
    'no-process-env',
  ],
  ['something is printed', 'src/server/http/x.ts', `console.log('x');`, 'no-console'],
  ['any is used', 'src/server/http/x.ts', `export const x = (y: any): unknown => y;`, 'no-explicit-any'],
  ['a file is not in kebab case', 'src/server/http/someFile.ts', `export const x = 1;`, 'filename-case'],
  ['a file forwards others', 'src/server/mail/x.ts', `export * from './y.ts';`, 'no-barrel-file'],
  [
    'two files import each other',
    'src/server/mail/x.ts',
    `import { y } from './y.ts';\nexport const x = (): number => y();`,
    'no-cycle',
  ],
];

const allowed: [what: string, file: string, code: string][] = [
  ['another feature’s store', 'src/server/features/a/x.ts', `import '../b/store.ts';`],
  ['another feature’s search', 'src/server/features/a/x.ts', `import '../b/search.ts';`],
  ['undici in the egress module', 'src/server/egress/x.ts', `import 'undici';`],
  ['zod in the contract', 'src/contract/x.ts', `import 'zod';`],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'parley-rules-'));
  const config = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { options?: object };
  // The rules in this test need no type information.
  delete config.options;
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The names of the rules that reject this code at this path. */
function lint(file: string, code: string): string[] {
  rmSync(path.join(folder, 'src'), { recursive: true, force: true });
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), `${code}\n`);
  if (code.includes('./y.ts')) {
    writeFileSync(
      path.join(folder, path.dirname(file), 'y.ts'),
      `import { x } from './x.ts';\nexport const y = (): number => x();\n`,
    );
  }
  const { stdout } = spawnSync(
    process.execPath,
    [path.resolve('node_modules/oxlint/bin/oxlint'), '--format=json', 'src'],
    { cwd: folder, encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string }[] };
  return diagnostics.map(({ code = '' }) => /\((.*)\)/.exec(code)?.[1] ?? code);
}

test.each(wrong)('lint fires when %s', (_what, file, code, rule) => {
  expect(lint(file, code)).toContain(rule);
});

test.each(allowed)('lint allows %s', (_what, file, code) => {
  expect(lint(file, code)).not.toContain('no-restricted-imports');
});
