import { open, stat } from 'node:fs/promises';

/** How much of the end of the output to report: the reason is at its end. */
const LINES = 15;

/** What an operator can do about it; the first match counts. */
const known: [sign: RegExp, words: string][] = [
  [/No space left on device|Check free disk space|quota exceeded/i, 'The disk is full. Free some space.'],
  [/Read-only file system/i, 'The file system of its folder is not writable. Make it writable.'],
  [
    /incompatible with server/i,
    'Its data was written by another major version of PostgreSQL, or on another kind of machine. Make a backup with the Parley version that wrote it (npx parley backup), and restore it into an empty data folder.',
  ],
  [/\/dev\/null: Permission denied/i, 'Its user cannot write to /dev/null: chmod 666 /dev/null.'],
  [
    /Permission denied|Operation not permitted|has wrong ownership|has invalid permissions/i,
    'Its folder belongs to another user: start Parley as the user who created it, or give the folder and everything in it to the database user alone (chown -R, chmod 700).',
  ],
];

/** Why PostgreSQL failed; in its own words if we have none. */
export function wordsOf(said: string): string {
  return known.find(([sign]) => sign.test(said))?.[1] ?? said.trim();
}

/** Returns the end of what is written to the log from now on. Existing content is about earlier failures, which may be over. */
export async function followLog(file: string): Promise<() => Promise<string>> {
  const from = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  return async () => {
    const log = await open(file).catch(() => undefined);
    if (!log) return '';
    const lines: string[] = [];
    for await (const line of log.readLines({ start: from })) lines.push(line);
    return lines.slice(-LINES).join('\n');
  };
}
