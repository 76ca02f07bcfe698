import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { CliError, wrongUsage } from './cli-error.ts';

/** Where a command writes its output. */
export interface Output {
  /** The command's result: data with `--json`, text otherwise. */
  result: (data: unknown, text: string) => void;
  /** A fragment of an unfinished text; nothing with `--json`. */
  piece: (text: string) => void;
}

export function outputTo(stream: NodeJS.WriteStream, { json }: { json: boolean }): Output {
  return {
    result: (data, text) => void stream.write(json ? `${JSON.stringify(data)}\n` : `${printable(text)}\n`),
    piece: (text) => void (json || stream.write(printable(text))),
  };
}

/** Without the control characters a model, or the author of an agent's name, could use to command the terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** All of standard input. */
export async function readInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Reading standard input; press Ctrl-D to end.\n');
  return readText(process.stdin);
}

/** A secret from standard input; not echoed when typed by a person. */
export async function readSecret(what: string): Promise<string> {
  const secret = (process.stdin.isTTY ? await askUnseen(`${what}: `) : await readText(process.stdin)).trim();
  if (secret === '') throw wrongUsage(`${what} is read from standard input, which was empty.`);
  if (!/^[\w-]{1,200}$/.test(secret)) throw new CliError('This is not a key.');
  return secret;
}

async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
