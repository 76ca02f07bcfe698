import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './program.ts';

/** All modules that need no other machine to respond, and no list of other vendors' programs. */
const MODULES = [
  'backup',
  'blindsql',
  'cookieflags',
  'crlf',
  'csp',
  'exec',
  'file',
  'htaccess',
  'http_headers',
  'methods',
  'permanentxss',
  'redirect',
  'shellshock',
  'sql',
  'xss',
];

interface Report {
  vulnerabilities: Record<string, { method: string; path: string; info: string; parameter: string }[]>;
}

/** wapiti's findings for these addresses of one host, one per line. Errors: one with the output, if it did not finish. */
export async function scanPages(
  addresses: string[],
  headers: Record<string, string>,
  folder: string,
): Promise<string[]> {
  const [first = ''] = addresses;
  const report = path.join(folder, 'wapiti.json');
  const asked = [
    '--scope=domain',
    '--module',
    MODULES.join(),
    ...addresses.flatMap((address) => ['--start', address]),
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    '--max-links-per-page=50',
  ];
  const kept = ['--flush-session', '--store-session', folder, '--format=json', '--output', report];
  const output = await runProgram(
    '/usr/bin/wapiti',
    ['--url', `${new URL(first).origin}/`, ...asked, ...kept, '--no-bugreport', '--verbose=1'],
    folder,
  );
  const text = await readFile(report, 'utf8').catch((cause: unknown) => {
    throw new Error(output, { cause });
  });
  const { vulnerabilities } = JSON.parse(text) as Report;
  return Object.entries(vulnerabilities).flatMap(([kind, found]) =>
    found.map(({ method, path: place, info }) => `${kind}: ${method} ${place}: ${info}`),
  );
}
