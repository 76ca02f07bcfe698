import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './program.ts';

/** 4,614 names of what servers leave lying about, of Debian's `dirb`. */
const WORDS = '/usr/share/dirb/wordlists/common.txt';

interface Found {
  url: string;
  status: number;
  length: number;
}

/** Every word of the list asked for under `address`, and what was answered but 404. Errors: one with its output, when it came to no end. */
export async function scanForFiles(address: string, folder: string): Promise<Found[]> {
  const file = path.join(folder, 'ffuf.json');
  const output = await runProgram(
    '/usr/bin/ffuf',
    ['-w', WORDS, '-u', `${address}FUZZ`, '-mc', 'all', '-fc', '404', '-t', '8', '-o', file, '-of', 'json'],
    folder,
  );
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(output, { cause });
  });
  return (JSON.parse(text) as { results: Found[] }).results;
}
