import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './program.ts';

/** 4,614 names of files that servers leave exposed, from Debian's `dirb`. */
const WORDS = '/usr/share/dirb/wordlists/common.txt';

interface Found {
  url: string;
  status: number;
  length: number;
}

/**
 * Requests every word of the list under `address`, and returns the responses other than 404. Errors: one with the
 * output, if it did not finish.
 */
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
