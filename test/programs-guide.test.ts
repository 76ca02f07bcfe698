import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from './product.ts';
import { startProvider, type Provider } from './stand-ins/provider.ts';
import { makeTaughtAgent } from './taught-agent.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const guide = readFileSync('docs/guides/programs.md', 'utf8');
const samples = [...guide.matchAll(/^```(js|sh)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
  name: code.trim().split('\n')[0] ?? '',
}));

let provider: Provider;
let product: Product;
let home: string;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  provider = await startProvider({ pieces: ['Until ', 'nine ', '[1].'] });
  product = await startProduct({ providers: { openai: provider.openai } });
  const owner = product.as('owner');
  const organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  const agent = await makeTaughtAgent(owner, organizationId, 'The shop closes at nine.');
  const { secret } = await owner.apiKey.create({ organizationId, name: 'Guide', scope: 'write' });
  home = await makeTemporaryFolder('guide');
  env = {
    PATH: process.env['PATH'],
    HOME: home,
    // This checkout's program, and nothing a registry has under its name.
    npm_config_offline: 'true',
    PARLEY_URL: product.url,
    PARLEY_AGENT: agent.id,
    PARLEY_AGENT_KEY: agent.apiKey,
    PARLEY_API_KEY: secret,
  };
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

async function run(language: string, code: string): Promise<{ exitCode: number | null; output: string }> {
  const [program, args] =
    language === 'js' ? [process.execPath, ['--input-type=module']] : ['bash', ['-euo', 'pipefail', '-s']];
  const child = spawn(program, args, { env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  // In braces it is read completely before it runs, so that none of its commands can read the rest.
  child.stdin.end(language === 'js' ? code : `{\n${code}\n}\n`);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exitCode, output };
}

test('the guide has samples for every way', () => {
  expect(samples.map(({ language }) => language)).toEqual(['js', 'sh', 'js', 'js', 'sh']);
});

test.each(samples)(
  'the sample that starts with $name runs and gets an answer',
  async ({ language, code }) => {
    const { exitCode, output } = await run(language, code);
    expect(output).toContain('Until nine [1].');
    expect(exitCode).toBe(0);
  },
);
