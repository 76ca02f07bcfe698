import { expect, test, vi } from 'vitest';
import type { Transfer, UploadPort } from './transfer.ts';
import { UploadQueue } from './upload-queue.ts';
import { UploadTask } from './upload-task.ts';

const port = { scope: 'agt_1' } as UploadPort;
const namesOf = (queue: UploadQueue) => queue.tasks.get().map(({ file }) => file.name);

test('every file is uploaded in turn, and the number still waiting is shown', async () => {
  const used: string[] = [];
  const sending: PromiseWithResolvers<string>[] = [];
  const queue = new UploadQueue({
    port,
    use: async (id) => void used.push(id),
    makeTask: (file, use) =>
      new UploadTask({ file, port, use: (id) => use(id), transfer: () => scripted(sending) }),
  });
  const seen: number[] = [];
  queue.tasks.subscribe(() => seen.push(queue.left));
  queue.add(Array.from({ length: 3 }, (_, index) => new File(['x'], `${index}.txt`)));
  expect(namesOf(queue)).toEqual(['0.txt', '1.txt']);
  expect(queue.left).toBe(1);
  queue.add([new File(['x'], '3.txt')]);
  // Subscribers to the list are notified although nothing else has changed there.
  expect(seen.at(-1)).toBe(2);

  for (let index = 0; index < 4; index += 1) {
    expect(queue.isBusy).toBe(true);
    await vi.waitFor(() => expect(sending.length).toBeGreaterThan(index));
    sending[index]?.resolve(`fil_${index}`);
    await vi.waitFor(() => expect(used).toHaveLength(index + 1));
  }
  await vi.waitFor(() => expect(queue.isBusy).toBe(false));
  expect(namesOf(queue)).toEqual(['0.txt', '1.txt', '2.txt', '3.txt']);
});

function scripted(sending: PromiseWithResolvers<string>[]): Transfer {
  return {
    run: () => {
      const run = Promise.withResolvers<string>();
      sending.push(run);
      return run.promise;
    },
    stop: async () => {},
    abandon: async () => {},
  };
}
