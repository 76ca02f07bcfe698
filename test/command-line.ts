import { spawn } from 'node:child_process';
import path from 'node:path';

export interface Ran {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  done: Promise<Ran>;
  /** Resolves when the output contains this. */
  said: (text: string) => Promise<void>;
  /** Like Ctrl-C: signals the whole group. */
  interrupt: () => void;
}

const bin = path.resolve('src/cli/parley.mjs');

/** Starts the real command line with its own settings folder. */
export function startParley(
  args: string[],
  { folder, input = '', env = {} }: { folder: string; input?: string; env?: Record<string, string> },
): Running {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      ...env,
    },
    detached: true,
  });
  const ran: Ran = { exitCode: null, stdout: '', stderr: '' };
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    ran.stdout = Buffer.concat(chunks).toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => (ran.stderr += chunk.toString('utf8')));
  child.stdin.end(input);
  const done = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ ...ran, exitCode }));
  });
  const said = async (text: string): Promise<void> => {
    while (!ran.stdout.includes(text)) {
      if (child.exitCode !== null) throw new Error(`It ended without saying "${text}": ${ran.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { done, said, interrupt: () => process.kill(-(child.pid as number), 'SIGINT') };
}
