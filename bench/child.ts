import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Linux counts process time in ticks of 10 ms. */
const MS_PER_TICK = 10;

/** A program in its own process, so that its CPU time can be measured separately. */
export class Child {
  readonly #process: ChildProcess;
  /** The address from its first matching line of output: where it can be reached. */
  readonly address: string;

  private constructor(child: ChildProcess, address: string) {
    this.#process = child;
    this.address = address;
  }

  /** Resolves with the first matching line of output; the first group is the address. */
  static async start(
    file: string,
    args: string[],
    environment: Record<string, string>,
    ready: RegExp,
  ): Promise<Child> {
    return Child.#spawn(process.execPath, [file, ...args], environment, ready);
  }

  static async #spawn(
    program: string,
    args: string[],
    environment: Record<string, string>,
    ready: RegExp,
  ): Promise<Child> {
    const child = spawn(program, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    const address = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (data: Buffer) => {
        output += data.toString();
        const found = ready.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () => reject(new Error(`${program} ${args[0]} exited.\n${output}`)));
    });
    return new Child(child, address);
  }

  /** The server as `npm start` starts it; needs what `scripts/bootstrap.mjs` builds. */
  static parley(environment: Record<string, string>): Promise<Child> {
    return Child.#spawn('sh', ['scripts/serve.sh'], environment, /Parley is at (\S+)/);
  }

  /** User and system time so far, across all threads. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }

  /** Resident memory in MiB. */
  residentMib(): number {
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#process.pid}/status`, 'utf8'))?.[1];
    return Number(kib) / 1024;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.kill('SIGTERM');
    await once(this.#process, 'exit');
  }
}
