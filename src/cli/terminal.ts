import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { CliError, wrongUsage } from './cli-error.ts';

/** Where a command says what it has to say. */
export interface Output {
  /** What the command was asked for; with `--json` the data, else the text. */
  result: (data: unknown, text: string) => void;
  /** A part of a text that is not whole yet; nothing with `--json`. */
  piece: (text: string) => void;
}

export function outputTo(stream: NodeJS.WriteStream, { json }: { json: boolean }): Output {
  return {
    result: (data, text) => void stream.write(json ? `${JSON.stringify(data)}\n` : `${printable(text)}\n`),
    piece: (text) => void (json || stream.write(printable(text))),
  };
}

/** Without the characters by which a model, or whoever named an agent, could command the terminal. */
export function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** All of the standard input. */
export async function readInput(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Reading standard input; press Ctrl-D to end.\n');
  return readText(process.stdin);
}

/** A secret from the standard input; typed by a person, it is not shown. */
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
