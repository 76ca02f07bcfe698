import { beforeEach, expect, test, vi } from 'vitest';
import { Patience, retryDelays } from './patience.ts';
import { nextChunk } from './resumable.ts';
import type { Transfer, TransferEvents, UploadPort } from './transfer.ts';
import { UploadTask } from './upload-task.ts';

/** A transfer scripted by the test. */
class Scripted implements Transfer {
  runs = 0;
  abandoned = false;
  settle: PromiseWithResolvers<string> = Promise.withResolvers();
  release: PromiseWithResolvers<void> = Promise.withResolvers();

  run(): Promise<string> {
    this.runs += 1;
    this.settle = Promise.withResolvers();
    return this.settle.promise;
  }
  stop(): Promise<void> {
    this.release = Promise.withResolvers();
    return this.release.promise;
  }
  async abandon(): Promise<void> {
    this.abandoned = true;
  }
}

const file = new File(['hello'], 'a.txt');
let transfer: Scripted;
let events: TransferEvents;
let used: string[];

beforeEach(() => {
  transfer = new Scripted();
  used = [];
});

async function start(use = async (id: string) => void used.push(id)): Promise<UploadTask> {
  const task = new UploadTask({
    file,
    port: {} as UploadPort,
    use,
    transfer: (_file, _port, given) => {
      events = given;
      return transfer;
    },
  });
  await vi.waitFor(() => expect(transfer.runs).toBe(1));
  return task;
}
const become = (task: UploadTask, state: string) => vi.waitFor(() => expect(task.state).toBe(state));

test('an upload runs, reports progress, and succeeds once its file is in use', async () => {
  const task = await start();
  expect(task.view.get()).toEqual({ state: 'running', sent: 0, isRetrying: false, failure: null });
  events.onProgress(3);
  expect(task.view.get().sent).toBe(3);
  transfer.settle.resolve('fil_1');
  await become(task, 'success');
  expect(used).toEqual(['fil_1']);
});

test('a paused upload waits until nothing is in progress, and resumes where it was', async () => {
  const task = await start();
  task.pause();
  task.pause();
  expect(task.state).toBe('pausing');
  transfer.release.resolve();
  await become(task, 'paused');
  task.cancel();
  expect(task.state).toBe('paused');
  task.resume();
  await vi.waitFor(() => expect(transfer.runs).toBe(2));
  expect(task.state).toBe('running');
});

test('an upload resumed while pausing restarts only after it has stopped', async () => {
  const task = await start();
  task.pause();
  task.resume();
  expect(task.state).toBe('running');
  await Promise.resolve();
  expect(transfer.runs).toBe(1);
  transfer.release.resolve();
  await vi.waitFor(() => expect(transfer.runs).toBe(2));
});

test('a canceled upload is removed and accepts no further requests', async () => {
  const task = await start();
  task.cancel();
  expect(task.state).toBe('canceling');
  await become(task, 'canceled');
  expect(transfer.abandoned).toBe(true);
  task.resume();
  task.pause();
  expect(task.state).toBe('canceled');
  transfer.settle.resolve('fil_1');
  await Promise.resolve();
  expect(task.state).toBe('canceled');
});

test('a failure of the transfer or of using the file is kept for the person to read', async () => {
  const failed = await start();
  transfer.settle.reject(new Error('no room'));
  await become(failed, 'error');
  expect(failed.view.get().failure).toEqual(new Error('no room'));
  transfer = new Scripted();
  const unused = await start(async () => {
    throw new Error('no agent');
  });
  transfer.settle.resolve('fil_1');
  await become(unused, 'error');
  expect(unused.view.get().failure).toEqual(new Error('no agent'));
});

test('pieces double from 262,144 to 33,554,432 bytes', () => {
  const sizes = [262_144];
  for (let step = 0; step < 9; step += 1) sizes.push(nextChunk(sizes.at(-1) ?? 0));
  expect(sizes.slice(0, 3)).toEqual([262_144, 524_288, 1_048_576]);
  expect(sizes.slice(-3)).toEqual([33_554_432, 33_554_432, 33_554_432]);
});

test('failures are retried for 120 s, a piece of a file for 600 s, and each success restarts the clock', () => {
  let now = 0;
  const patience = new Patience(() => now);
  expect(patience.allows(0, 'operation')).toBe(true);
  now = 119_999;
  expect(patience.allows(503, 'operation')).toBe(true);
  now = 120_000;
  expect(patience.allows(503, 'operation')).toBe(false);
  expect(patience.allows(423, 'upload')).toBe(true);
  now = 600_000;
  expect(patience.allows(0, 'upload')).toBe(false);
  patience.progressed();
  expect(patience.allows(0, 'upload')).toBe(true);
  expect(patience.allows(400, 'upload')).toBe(false);
  expect(patience.allows(413, 'upload')).toBe(false);
  expect(retryDelays.reduce((sum, delay) => sum + delay)).toBeGreaterThan(600_000);
});
