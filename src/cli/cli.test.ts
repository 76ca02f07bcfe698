import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startParley, type Ran } from '../../test/command-line.ts';
import { startProduct, type Product, type TestClient } from '../../test/product.ts';
import { startProvider, type Provider } from '../../test/stand-ins/provider.ts';
import { makeTaughtAgent } from '../../test/taught-agent.ts';
import { makeTemporaryFolder } from '../../test/temporary-folder.ts';
import { bearing } from '../../test/visit.ts';

let provider: Provider;
let product: Product;
let owner: TestClient;
let organizationId: string;
let secret: string;
const homes: string[] = [];
beforeAll(async () => {
  provider = await startProvider({ pieces: ['Until ', 'nine ', '[1].'] });
  product = await startProduct({ providers: { openai: provider.openai } });
  owner = product.as('owner');
  organizationId = (await owner.organization.create({ name: 'Acme' })).organization.id;
  ({ secret } = await owner.apiKey.create({ organizationId, name: 'Command line', scope: 'write' }));
});
afterAll(async () => {
  await product.close();
  await provider.close();
  await Promise.all(homes.map((folder) => rm(folder, { recursive: true, force: true })));
});

type Options = Omit<Parameters<typeof startParley>[1], 'folder'>;

/** A user with their own home folder, logged in unless stated otherwise. */
async function person({ loggedIn = true } = {}) {
  const folder = await makeTemporaryFolder('cli');
  homes.push(folder);
  const run = (args: string[], options: Options = {}): Promise<Ran> =>
    startParley(args, { folder, ...options }).done;
  if (loggedIn) expect((await run(['login', product.url], { input: secret })).exitCode).toBe(0);
  return { folder, run, start: (args: string[]) => startParley(args, { folder }) };
}

async function makeAgent(text?: string) {
  const made = await makeTaughtAgent(owner, organizationId, text);
  const { handle } = (await owner.chatbot.get({ id: made.id, organizationId })).chatbot;
  return { ...made, handle };
}

test('it prints its usage, and what was wrong with a call', async () => {
  const { run } = await person({ loggedIn: false });
  for (const args of [[], ['--help'], ['ask', '-h']])
    expect(await run(args)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Usage: parley') as string,
    });
  expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  for (const args of [['sing'], ['ask', 'x'], ['agents'], ['login', 'ftp://x'], ['--loud'], ['export']])
    expect(await run(args)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^parley: .+--help/) as string,
    });
});

test('a login is stored for its user alone, and only with a valid key', async () => {
  const { folder, run } = await person({ loggedIn: false });
  expect(await run(['agents', 'list'])).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('parley login') as string,
  });
  expect((await run(['login', product.url], { input: 'parley_wrong' })).exitCode).toBe(3);
  expect((await run(['login', product.url])).exitCode).toBe(2);
  const file = path.join(folder, 'parley/settings.json');
  await expect(stat(file)).rejects.toThrow();
  const done = await run(['login', `${product.url}/somewhere`], { input: `${secret}\n` });
  expect(done).toMatchObject({ exitCode: 0, stdout: `Logged in at ${product.url}.\n` });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
});

test('it lists the organization’s agents as text and as JSON', async () => {
  const { run } = await person();
  const { id, handle } = await makeAgent();
  expect((await run(['agents', 'list'])).stdout).toContain(`${id}  ${handle}  Helper\n`);
  const { agents } = JSON.parse((await run(['agents', 'list', '--json'])).stdout) as {
    agents: { id: string }[];
  };
  expect(agents.map((agent) => agent.id)).toContain(id);
});

test('asking requires the agent’s own key, and the error says so', async () => {
  const { run } = await person();
  const { handle, apiKey } = await makeAgent('The shop closes at nine in the evening.');
  const refused = await run(['ask', handle, 'When does the shop close?']);
  expect(refused).toMatchObject({ exitCode: 3, stdout: '' });
  expect(refused.stderr).toContain(`parley login ${product.url} --agent ${handle}`);
  expect(
    (await run(['login', product.url, '--agent', handle], { input: 'parleyagent_wrong' })).exitCode,
  ).toBe(3);
  expect((await run(['login', product.url, '--agent', handle], { input: apiKey })).exitCode).toBe(0);
  const asked = await run(['ask', handle, 'When does the shop close?']);
  expect(asked).toEqual({ exitCode: 0, stderr: '', stdout: 'Until nine [1].\n\n[1] Notes\n' });
  const json = await run(['ask', handle, '-', '--json'], { input: 'When does the shop close?' });
  const answer = JSON.parse(json.stdout) as { conversationId: string };
  expect(answer).toMatchObject({ answer: 'Until nine [1].', citations: [{ number: 1, title: 'Notes' }] });
  await run(['ask', handle, 'Why?', '--conversation', answer.conversationId]);
  const { messages } = await bearing(product, apiKey).chat.listMessages({ id: answer.conversationId });
  expect(messages.map(({ text }) => text)).toEqual([
    'When does the shop close?',
    'Until nine [1].',
    'Why?',
    'Until nine [1].',
  ]);
});

test('on a machine without a login the environment supplies everything', async () => {
  const { run } = await person({ loggedIn: false });
  const { id, apiKey } = await makeAgent();
  const env = { PARLEY_URL: product.url, PARLEY_API_KEY: secret, PARLEY_AGENT_KEY: apiKey };
  expect((await run(['agents', 'list'], { env })).stdout).toContain(id);
  expect((await run(['ask', id, 'Hello?'], { env })).stdout).toBe('Until nine [1].\n');
});

test('a stored key is sent to no other server', async () => {
  const { run } = await person();
  const env = { PARLEY_URL: 'http://127.0.0.1:9' };
  expect((await run(['agents', 'list'], { env })).exitCode).toBe(3);
  const refused = await run(['agents', 'list', '--json'], { env: { ...env, PARLEY_API_KEY: secret } });
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stderr)).toEqual({
    error: { code: 'server/unavailable', message: 'The server could not be reached.' },
  });
});

test('an answer is printed as it streams, and Ctrl-C stops it on the server', async () => {
  const { run, start } = await person();
  const { id, apiKey } = await makeAgent();
  await run(['login', product.url, '--agent', id], { input: apiKey });
  provider.script = { pieces: Array.from({ length: 400 }, () => 'word '), betweenPiecesMs: 20 };
  try {
    const asking = start(['ask', id, 'Hello?']);
    await asking.said('word word');
    asking.interrupt();
    expect((await asking.done).exitCode).toBe(130);
    const { chat } = bearing(product, apiKey);
    const conversation = (await chat.list()).conversations[0]?.id ?? '';
    const { messages } = await chat.listMessages({ id: conversation });
    expect(messages[1]).toMatchObject({ state: 'stopped', text: expect.stringContaining('word') as string });
  } finally {
    provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  }
});

test('model output cannot control the terminal, and a model failure fails the program', async () => {
  const { run } = await person();
  const { id, apiKey } = await makeAgent();
  await run(['login', product.url, '--agent', id], { input: apiKey });
  try {
    provider.script = { pieces: ['\u001B]0;owned\u0007', 'Hi\u009B2J'] };
    expect((await run(['ask', id, 'Hello?'])).stdout).toBe(']0;ownedHi2J\n');
    provider.script = { pieces: [], status: 400 };
    expect(await run(['ask', id, 'Hello?'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('model') as string,
    });
  } finally {
    provider.script = { pieces: ['Until ', 'nine ', '[1].'] };
  }
});

test('a text, a file and a page are added to an agent', async () => {
  const { folder, run } = await person();
  const { id } = await makeAgent();
  const text = await run(['knowledge', 'add', id, '-', '--title', 'Hours', '--wait'], {
    input: 'We close at nine.',
  });
  expect(text).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Helper now knows it: knw_/) as string,
  });
  await writeFile(path.join(folder, 'zoo.md'), '# Zoo\n\nThe zebra sleeps.');
  const file = await run(['knowledge', 'add', id, 'zoo.md', '--wait', '--json']);
  expect(JSON.parse(file.stdout)).toMatchObject({
    knowledge: { type: 'file', progress: { state: 'ready' } },
  });
  // The server does the reading: it refuses addresses inside its network, and finds nothing at this one.
  const inside = await run(['knowledge', 'add', id, 'http://127.0.0.1:1/x', '--wait']);
  expect(inside).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('not public') as string });
  expect((await run(['knowledge', 'add', id, 'http://nothing.invalid/x', '--wait'])).exitCode).toBe(1);
  expect((await run(['knowledge', 'add', id, 'missing.md'])).stderr).toBe(
    'parley: No file "missing.md" was found.\n',
  );
  expect((await run(['knowledge', 'add', 'nobody', '-'], { input: 'x' })).exitCode).toBe(1);
  const { allKnowledge } = await owner.knowledge.list({ id });
  expect(allKnowledge.map(({ type }) => type).toSorted()).toEqual(['file', 'text', 'website']);
});

test('an agent is exported in full and never overwrites an existing file', async () => {
  const { folder, run } = await person();
  const { id, handle } = await makeAgent('The shop closes at nine in the evening.');
  const file = path.join(folder, `${handle}.zip`);
  expect((await run(['export', id])).stdout).toBe(`Written to ${handle}.zip.\n`);
  expect((await readFile(file)).subarray(0, 2).toString()).toBe('PK');
  expect((await run(['export', id])).exitCode).toBe(1);
  expect((await run(['export', id, '--force'])).exitCode).toBe(0);
  expect((await run(['export', id, '-'])).stdout.startsWith('PK')).toBe(true);
  expect((await run(['export', id, 'no/such/folder.zip'])).exitCode).toBe(1);
});

test('a read-only key is told what it may not do', async () => {
  const { run } = await person({ loggedIn: false });
  const { id } = await makeAgent();
  const reading = await owner.apiKey.create({ organizationId, name: 'Reader', scope: 'read' });
  await run(['login', product.url], { input: reading.secret });
  expect((await run(['agents', 'list'])).stdout).toContain(id);
  expect(await run(['knowledge', 'add', id, '-'], { input: 'x' })).toMatchObject({
    exitCode: 3,
    stderr: 'parley: Your role does not allow this.\n',
  });
  expect((await run(['export', id])).exitCode).toBe(3);
});
