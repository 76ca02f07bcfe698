import { expect, test } from 'vitest';
import { runInWorker, WorkerError } from './run.ts';

const moduleOf = (work: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { answer } from '${new URL('answer.ts', import.meta.url).href}'; answer(${work});`)}`,
  );
const limits = { timeoutMs: 5000, memoryMib: 64 };

test('a worker answers, and its failure comes with its words', async () => {
  expect(await runInWorker<number, number>(moduleOf('(n) => n * 2'), 21, limits)).toBe(42);
  await expect(runInWorker(moduleOf("() => { throw new Error('It is torn.'); }"), 1, limits)).rejects.toThrow(
    'It is torn.',
  );
});

test('work that takes too long is stopped', async () => {
  const endless = runInWorker(moduleOf('() => { for (;;); }'), 1, { ...limits, timeoutMs: 300 });
  await expect(endless).rejects.toThrow(WorkerError);
});

test('work that needs too much memory is stopped, and nobody else is hurt', async () => {
  const greedy = runInWorker(
    moduleOf('() => { const all = []; for (;;) all.push(new Array(10000).fill({})); }'),
    1,
    limits,
  );
  await expect(greedy).rejects.toThrow('64 MiB');
});

test('work is stopped when the server stops', async () => {
  const stopping = AbortSignal.timeout(200);
  await expect(
    runInWorker(moduleOf('() => { for (;;); }'), 1, { ...limits, signal: stopping }),
  ).rejects.toThrow(WorkerError);
  await expect(runInWorker(moduleOf('() => 1'), 1, { ...limits, signal: stopping })).rejects.toThrow(
    WorkerError,
  );
});

test('work sees none of the server’s variables', async () => {
  expect(await runInWorker(moduleOf('() => Object.keys(process.env)'), 1, limits)).toEqual([]);
});
