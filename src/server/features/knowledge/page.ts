import robotsParser from 'robots-parser';
import type { Egress, EgressResponse } from '../../egress/egress.ts';
import { UnreadableError } from './read/document.ts';
import { kindOf, type ReadRequest } from './read/read.ts';

/** The name under which pages are read; site owners can name it in their robots.txt. */
export const USER_AGENT = 'ParleyBot';

export interface FetchedPage extends ReadRequest {
  /** After redirects. */
  url: string;
  etag: string | null;
  lastModified: string | null;
}

/**
 * Fetches one page, if its site lets it be read. `robots` keeps the rules of each site for as long as the caller does.
 * Errors: those of egress, `UnreadableError` with a reason.
 */
export async function fetchPage(
  egress: Egress,
  robots: Map<string, Promise<RobotRules>>,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPage> {
  await requireAllowed(egress, robots, url, signal);
  const response = await egress.fetch(url, {
    signal,
    headers: { 'user-agent': USER_AGENT, accept: 'text/html, application/pdf, text/plain' },
  });
  if (response.status !== 200) throw new UnreadableError(`The site answered ${response.status}.`);
  if (new URL(response.url).origin !== new URL(url).origin)
    await requireAllowed(egress, robots, response.url, signal);
  const kind = kindOf(response.contentType || 'text/html');
  if (!kind) throw new UnreadableError(`A page of the kind ${response.contentType} cannot be read.`);
  return {
    kind,
    data: response.body,
    charset: /charset=["']?([\w-]+)/i.exec(response.contentType)?.[1],
    url: response.url,
    etag: response.headers['etag'] ?? null,
    lastModified: response.headers['last-modified'] ?? null,
  };
}

export type RobotRules = (url: string) => boolean;

async function requireAllowed(
  egress: Egress,
  robots: Map<string, Promise<RobotRules>>,
  url: string,
  signal: AbortSignal,
): Promise<void> {
  const { origin } = new URL(url);
  const rules = robots.get(origin) ?? readRules(egress, origin, signal);
  robots.set(origin, rules);
  if (!(await rules)(url)) throw new UnreadableError('The site does not let this page be read (robots.txt).');
}

/** As RFC 9309 has it: no file allows everything, a server that fails forbids everything. */
async function readRules(egress: Egress, origin: string, signal: AbortSignal): Promise<RobotRules> {
  const address = `${origin}/robots.txt`;
  const response = await egress.fetch(address, { signal, headers: { 'user-agent': USER_AGENT } });
  if (response.status >= 500) return () => false;
  if (response.status !== 200) return () => true;
  const rules = robotsParser(address, textOf(response));
  return (url) => rules.isAllowed(url, USER_AGENT) ?? true;
}

function textOf({ body }: EgressResponse): string {
  return body.toString('utf8').slice(0, 500_000);
}
