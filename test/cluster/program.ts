import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Place } from './network.ts';

const READY_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 50;

export interface ProgramOptions {
  command: readonly string[];
  environment?: Record<string, string>;
  /** Whether it works; polled until it does. */
  isReady: () => Promise<boolean>;
}

/** A program on a node. It can be killed and restarted, and it is known whether it ended without having been killed. */
export class Program {
  readonly place: Place;
  readonly #options: ProgramOptions;
  #process: ChildProcess | undefined;
  /** True between a successful start and a kill. */
  #isToRun = false;
  #output = '';
  /** How often it ended by itself after becoming ready. */
  ended = 0;

  constructor(place: Place, options: ProgramOptions) {
    this.place = place;
    this.#options = options;
  }

  /** All its output. */
  get output(): string {
    return this.#output;
  }

  /** Starts it until it is ready, again if it ends at once (a database waits for the remains of the previous one). */
  async start(): Promise<void> {
    for (const last = performance.now() + READY_WITHIN_MS; performance.now() < last;) {
      if (!this.#isRunning) this.#spawn();
      this.#isToRun = await this.#options.isReady().catch(() => false);
      if (this.#isToRun) return;
      await delay(LOOK_AGAIN_MS);
    }
    throw new Error(`${this.place.name} did not start.\n${this.#output.slice(-4000)}`);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#isToRun = false;
    const child = this.#process;
    if (!child || !this.#isRunning) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  get #isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  /** `ip netns exec` becomes the program, so the child is the program itself. */
  #spawn(): void {
    const { command, environment = {} } = this.#options;
    const child = spawn('ip', ['netns', 'exec', this.place.namespace, ...command], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (data: Buffer): void => {
      this.#output += data.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('exit', (code, signal) => {
      if (!this.#isToRun) return;
      this.ended += 1;
      this.#output += `\n-- exited by itself: ${code ?? signal}\n`;
    });
    this.#process = child;
  }
}
