import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../../../../test/temporary-folder.ts';
import { runInProcess, runInThread, WorkerError } from './run.ts';

const moduleOf = (work: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { answer } from '${new URL('answer.ts', import.meta.url).href}'; answer(${work});`)}`,
  );
const limits = { timeoutMs: 5000, memoryMib: 64 };

test('a worker returns its result, and its failure with the message', async () => {
  expect(await runInThread<number, number>(moduleOf('(n) => n * 2'), 21, limits)).toBe(42);
  await expect(runInThread(moduleOf("() => { throw new Error('It is torn.'); }"), 1, limits)).rejects.toThrow(
    'It is torn.',
  );
});

test('work that takes too long is stopped', async () => {
  const endless = runInThread(moduleOf('() => { for (;;); }'), 1, { ...limits, timeoutMs: 300 });
  await expect(endless).rejects.toThrow(WorkerError);
});

test('work that needs too much memory is stopped, and affects nobody else', async () => {
  const greedy = runInThread(
    moduleOf('() => { const all = []; for (;;) all.push(new Array(10000).fill({})); }'),
    1,
    limits,
  );
  await expect(greedy).rejects.toThrow('64 MiB');
});

test('work is stopped when the server stops', async () => {
  const stopping = AbortSignal.timeout(200);
  await expect(
    runInThread(moduleOf('() => { for (;;); }'), 1, { ...limits, signal: stopping }),
  ).rejects.toThrow(WorkerError);
  await expect(runInThread(moduleOf('() => 1'), 1, { ...limits, signal: stopping })).rejects.toThrow(
    WorkerError,
  );
});

test('work sees none of the server’s environment variables', async () => {
  expect(await runInThread(moduleOf('() => Object.keys(process.env)'), 1, limits)).toEqual([]);
});

test('a reusable thread is reused, unless it had to be stopped', async () => {
  const counting = moduleOf('((count) => (n) => { if (n < 0) for (;;); return (count += n); })(0)');
  const reused = { ...limits, reuse: true };
  expect(await runInThread<number, number>(counting, 1, reused)).toBe(1);
  expect(await runInThread<number, number>(counting, 1, reused)).toBe(2);
  await expect(runInThread(counting, -1, { ...reused, timeoutMs: 200 })).rejects.toThrow(WorkerError);
  expect(await runInThread<number, number>(counting, 1, reused)).toBe(1);
});

test('work runs at low priority, so that it takes no time from waiting users', async () => {
  const own = await runInThread<number, number>(
    moduleOf(
      "async () => (await import('node:os')).getPriority(Number((await import('node:fs')).readlinkSync('/proc/thread-self').split('/').at(-1)))",
    ),
    0,
    limits,
  );
  expect(own).toBe(10);
  expect(getPriority()).toBe(0);
});

/** A program in its own file, as processes require. */
async function programOf(work: string): Promise<URL> {
  const folder = await makeTemporaryFolder('worker');
  const file = path.join(folder, 'program.mjs');
  const answering = new URL('answer-in-process.ts', import.meta.url).href;
  await writeFile(file, `import { answerInProcess } from '${answering}'; answerInProcess(${work});`);
  return pathToFileURL(file);
}

test('a process returns its result, gets all the bytes, and can be reused', async () => {
  const counting = await programOf(
    '((calls) => ({ data, by }) => ({ calls: ++calls, sum: data.length * by }))(0)',
  );
  const reused = { ...limits, reuse: true };
  for (const calls of [1, 2]) {
    const input = { data: new Uint8Array(5_000_000), by: calls };
    expect(await runInProcess(counting, input, reused)).toEqual({ calls, sum: calls * 5_000_000 });
  }
});

test.each([
  ['runs for ever', '() => { for (;;); }', 'longer than 1 seconds'],
  [
    'asks for more memory than there is, at once',
    '() => new Array(2 ** 32 - 1).fill(0).map(String)',
    'memory',
  ],
  ['collects memory', '() => { const all = []; for (;;) all.push(new Array(10000).fill({})); }', '64 MiB'],
  ['kills itself', "() => process.kill(process.pid, 'SIGKILL')", 'without an answer'],
])('a process that %s affects nobody else', async (_what, work, words) => {
  const input = { data: new Uint8Array(10) };
  const patient = words.startsWith('longer') ? { ...limits, timeoutMs: 1000 } : limits;
  await expect(runInProcess(await programOf(work), input, patient)).rejects.toThrow(words);
});

test.runIf(process.platform === 'linux')(
  'a process delayed by a busy machine keeps its full time, and one that waits forever does not',
  async () => {
    const kept = await programOf('() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)');
    expect(await runInProcess(kept, {}, { ...limits, timeoutMs: 2000 })).toBe('timed-out');
    const never = await programOf('() => new Promise(() => {})');
    await expect(runInProcess(never, {}, { ...limits, timeoutMs: 300 })).rejects.toThrow('longer than');
  },
);

test('a stop meant for the server does not end a process', async () => {
  const told = await programOf(`async () => {
    const { readFileSync } = await import('node:fs');
    process.kill(process.pid, 'SIGINT');
    process.kill(process.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const [group] = /(?<=\\) \\w \\d+ )\\d+/.exec(readFileSync('/proc/self/stat', 'utf8'));
    return Number(group) === process.pid ? 'of its own group' : 'of ours';
  }`);
  expect(await runInProcess(told, {}, limits)).toBe('of its own group');
});

test('a process ends with its parent, whatever it is doing', async () => {
  const endless = await programOf('() => { process.send({ value: process.pid }); for (;;); }');
  const starter = `import { startProcess } from '${new URL('host.ts', import.meta.url).href}';
    const host = startProcess(new URL('${endless.href}'), 64);
    host.next((answer) => console.log(answer.value)); host.send({ data: new Uint8Array(1) });`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', starter]);
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const child = Number(line);
  const isAlive = () =>
    existsSync(`/proc/${child}/status`) && !/State:\s+Z/.test(readFileSync(`/proc/${child}/status`, 'utf8'));
  expect(isAlive()).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(isAlive).toBe(false);
});

test('work fails while no process can be started, and holds up nothing afterwards', async () => {
  const doubling = await programOf('({ by }) => by * 2');
  const starter = `import { closeSync, openSync } from 'node:fs';
    import { availableParallelism } from 'node:os';
    import { runInProcess } from '${new URL('run.ts', import.meta.url).href}';
    const work = () => runInProcess(new URL('${doubling.href}'), { by: 21 }, ${JSON.stringify(limits)});
    const opened = [];
    try { for (;;) opened.push(openSync('/dev/null')); } catch {}
    const codes = [];
    for (let times = 0; times <= availableParallelism(); times += 1)
      await work().catch(({ code }) => codes.push(code));
    opened.forEach((file) => closeSync(file));
    console.log(JSON.stringify({ codes: [...new Set(codes)], result: await work() }));`;
  const command = 'ulimit -n 100; exec "$0" --input-type=module --eval "$1"';
  const starved = spawn('sh', ['-c', command, process.execPath, starter]);
  const [line] = (await once(starved.stdout, 'data')) as [Buffer];
  expect(JSON.parse(String(line))).toEqual({ codes: ['server/unavailable'], result: 42 });
});
