import { createStore, type Store } from '../store.ts';
import { createTransfer, type Transfer, type UploadPort } from './transfer.ts';
import { allows, nextState, type UploadEvent, type UploadState } from './upload-state.ts';

/** The displayed state of an upload. */
interface UploadView {
  state: UploadState;
  sent: number;
  /** While it runs: the last attempt failed, and it is being sent again. */
  isRetrying: boolean;
  /** Why it failed. */
  failure: unknown;
}

interface TaskOptions {
  file: File;
  port: UploadPort;
  /** What to do with the stored file before the upload counts as a success. */
  use: (fileId: string) => Promise<void>;
  transfer?: typeof createTransfer;
}

let made = 0;

/** The upload of one file. A request takes effect if the state allows it, and otherwise changes nothing. */
export class UploadTask {
  readonly id: number;
  readonly file: File;
  readonly view: Store<UploadView> = createStore<UploadView>({
    state: 'running',
    sent: 0,
    isRetrying: false,
    failure: null,
  });
  readonly #use: TaskOptions['use'];
  readonly #transfer: Transfer;
  /** The stop in progress; the next start waits for it. */
  #stopping: Promise<void> = Promise.resolve();

  constructor({ file, port, use, transfer = createTransfer }: TaskOptions) {
    made += 1;
    this.id = made;
    this.file = file;
    this.#use = use;
    this.#transfer = transfer(file, port, {
      onProgress: (sent) => this.#show({ sent: Math.min(sent, file.size) }),
      onRetrying: (isRetrying) => this.#show({ isRetrying }),
    });
    void this.#run();
  }

  get state(): UploadState {
    return this.view.get().state;
  }

  pause(): void {
    if (!this.#move('pause')) return;
    this.#stopping = this.#transfer.stop().catch(() => undefined);
    void this.#stopping.then(() => this.#move('stopped'));
  }

  resume(): void {
    if (this.#move('resume')) void this.#run();
  }

  cancel(): void {
    if (!this.#move('cancel')) return;
    this.#stopping = this.#stopping.then(() => this.#transfer.abandon()).catch(() => undefined);
    void this.#stopping.then(() => this.#move('stopped'));
  }

  async #run(): Promise<void> {
    await this.#stopping;
    if (this.state !== 'running') return;
    this.#show({ isRetrying: false });
    try {
      await this.#use(await this.#transfer.run());
      this.#move('done');
    } catch (failure) {
      this.#show({ failure });
      this.#move('failed');
    }
  }

  #move(event: UploadEvent): boolean {
    const { state } = this.view.get();
    if (!allows(state, event)) return false;
    this.#show({ state: nextState(state, event) });
    return true;
  }

  #show(change: Partial<UploadView>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}
