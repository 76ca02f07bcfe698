import { createStore, type Store } from '../store.ts';
import { forget, recall, rememberedUploads, type Remembered } from './remembered.ts';
import type { UploadPort } from './transfer.ts';
import { hasEnded } from './upload-state.ts';
import { UploadTask } from './upload-task.ts';

export interface QueueOptions {
  port: UploadPort;
  use: (fileId: string, file: File) => Promise<void>;
  /** Called when nothing is in progress any more. */
  onIdle?: (tasks: readonly UploadTask[]) => void;
  makeTask?: (file: File, use: (fileId: string) => Promise<void>) => UploadTask;
}

/** The number of concurrent uploads: a browser has few connections per server, and other requests need some. */
const AT_ONCE = 2;

/** The files a person has given for one purpose, each on its own. It lives as long as the tab. */
export class UploadQueue {
  readonly tasks: Store<readonly UploadTask[]> = createStore<readonly UploadTask[]>([]);
  /** Unfinished uploads from earlier, whose file has to be chosen again. */
  readonly waiting: Store<readonly Remembered[]>;
  readonly #options: QueueOptions;
  readonly #files: File[] = [];

  constructor(options: QueueOptions) {
    this.#options = options;
    this.waiting = createStore<readonly Remembered[]>(rememberedUploads(options.port.scope));
  }

  add(files: readonly File[]): void {
    for (const file of files) {
      const known = recall(this.#options.port.scope, file);
      if (known)
        this.waiting.set(this.waiting.get().filter(({ uploadUrl }) => uploadUrl !== known.uploadUrl));
      this.#files.push(file);
    }
    this.tasks.set([...this.tasks.get()]);
    this.#startNext();
  }

  /** The number of files not started yet; `tasks` notifies of every change. */
  get left(): number {
    return this.#files.length;
  }

  /** Whether closing the tab would lose something that a later one can't resume by itself. */
  get isBusy(): boolean {
    return this.left > 0 || this.tasks.get().some(({ state }) => state === 'running' || state === 'pausing');
  }

  /** Removes a finished one from the list. */
  dismiss(task: UploadTask): void {
    if (hasEnded(task.state)) this.tasks.set(this.tasks.get().filter((shown) => shown !== task));
  }

  forget({ uploadUrl }: Remembered): void {
    forget(uploadUrl);
    this.waiting.set(this.waiting.get().filter((upload) => upload.uploadUrl !== uploadUrl));
  }

  #startNext(): void {
    const running = () => this.tasks.get().filter(({ state }) => state === 'running').length;
    while (this.#files.length > 0 && running() < AT_ONCE) {
      const file = this.#files.shift() as File;
      const task = this.#make(file);
      this.tasks.set([...this.tasks.get(), task]);
      let { state } = task;
      task.view.subscribe(() => {
        if (task.state === state) return;
        ({ state } = task);
        this.tasks.set([...this.tasks.get()]);
        this.#startNext();
        if (this.#files.length === 0 && this.tasks.get().every((each) => hasEnded(each.state)))
          this.#options.onIdle?.(this.tasks.get());
      });
    }
  }

  #make(file: File): UploadTask {
    const { port, use, makeTask } = this.#options;
    const useIt = (fileId: string) => use(fileId, file);
    return makeTask ? makeTask(file, useIt) : new UploadTask({ file, port, use: useIt });
  }
}
