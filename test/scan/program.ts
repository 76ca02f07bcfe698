import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

/**
 * The output of an installed program, errors included, run to completion without input. Errors: one that says so if it
 * is not installed.
 */
export async function runProgram(file: string, args: string[], cwd: string): Promise<string> {
  if (!existsSync(file))
    throw new Error(`${file} is missing: \`npm run test:torture\` installs it where apt-get is.`);
  const program = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: cwd },
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()));
  await once(program, 'close');
  return output;
}
