import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FuzzRequest } from '../fuzz/requests.ts';
import { runProgram } from './program.ts';

/** Where sqlmap injects its payloads. */
const MARK = '*';
/** sqlmap would test them for each call; the server treats headers the same for all. */
const HEADERS = 'user-agent,referer,host';

export interface Scan {
  /** The places tested completely, by sqlmap's names. */
  tried: string[];
  /** What it considers a way into the database, in its words. */
  found: string[];
  output: string;
}

/**
 * Marks every value in the request's address: in its path, what is in braces in the contract's `path`. In a JSON body
 * sqlmap finds the values itself. An asterisk of the request's own would count as a mark, so it is removed.
 */
export function markedRequest(
  { method, url, headers, payload }: FuzzRequest,
  { host, path: contracted = '' }: { host: string; path?: string | undefined },
): string {
  const [place = '', query = ''] = url.replaceAll(MARK, '').split('?');
  const isValue = contracted.split('/').map((part) => part.startsWith('{'));
  const segments = place.split('/').map((part, at) => (isValue[at] ? part + MARK : part));
  const values = query === '' ? '' : `?${query.split('&').join(`${MARK}&`)}${MARK}`;
  const isJson = headers['content-type'] === 'application/json';
  const body = isJson ? String(payload).replaceAll(MARK, '') : '';
  const lines = Object.entries({ host, ...headers })
    .filter(([name]) => isJson || name !== 'content-type')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${segments.join('/')}${values} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Whether there is anything to test: a call may take no input. */
export function hasMarks(request: string): boolean {
  return request.includes(MARK) || /\r\n\r\n\{.+\}$/s.test(request);
}

/** Tests everything sqlmap knows about PostgreSQL at every mark; each request uses a different address, like a crowd's. */
export async function scanForInjection(request: string, folder: string): Promise<Scan> {
  const file = path.join(folder, 'request.txt');
  await writeFile(file, request);
  const asked = ['--level=5', '--risk=3', '--dbms=postgresql', '--tamper=xforwardedfor', `--skip=${HEADERS}`];
  const output = await sqlmap(['-r', file, ...asked, '--output-dir', folder], folder);
  return {
    tried: [...output.matchAll(/parameter '(.+)' does not seem to be injectable/g)].map(
      ([, name = '']) => name,
    ),
    found: output.match(/^(?:Parameter: .*| {4}(?:Type|Title|Payload): .*|.* is vulnerable\..*)$/gm) ?? [],
    output,
  };
}

/** Statuses for repeated requests that are no reason to stop: what one call removes is gone for the next. */
const NO_END = '401,404,409';

async function sqlmap(args: string[], folder: string): Promise<string> {
  const alone = [
    '--batch',
    '--ignore-stdin',
    '--flush-session',
    '--disable-coloring',
    `--ignore-code=${NO_END}`,
  ];
  return runProgram('/usr/bin/sqlmap', [...args, ...alone], folder);
}
