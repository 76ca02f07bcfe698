import { AppError } from '../../../app-error.ts';
import type { Egress, EgressOptions, EgressResponse } from '../../../egress/egress.ts';
import { UnreadableError } from '../read/document.ts';
import { noRules, parseRobots, USER_AGENT, type SiteRules } from './robots.ts';
import { Turns, unlessAborted } from './turns.ts';

/** How long a site's rules are cached; a failure to get them for less, so that a person can retry. */
const RULES_KEPT_MS = 3_600_000;
const FAILURE_KEPT_MS = 60_000;
const SITES_KEPT = 200;
/** The number of attempts on a busy site; none if it asks for a longer delay than this. */
const TRIES = 3;
const RETRY_AFTER_MAX_SECONDS = 60;
const RETRY_AFTER_DEFAULT_SECONDS = 5;

interface PoliteResponse extends EgressResponse {
  /** How much of the time was spent waiting for the site's sake. */
  waitedMs: number;
}

/** Requests the way a site wants them: only what its robots.txt allows, one after another, and later when it is busy. */
export interface PoliteRequests {
  /** Errors: those of egress, `UnreadableError` with a reason. */
  get(url: string, options: EgressOptions & { signal: AbortSignal }): Promise<PoliteResponse>;
  rulesOf(url: string, signal: AbortSignal): Promise<SiteRules>;
}

interface KnownRules {
  rules: Promise<SiteRules>;
  until: number;
}

interface Manners {
  turns: Turns;
  rules: Map<string, KnownRules>;
}

/** A process has one egress, so everything that reads shares these. */
const mannersOf = new WeakMap<Egress, Manners>();

export function politeRequests(egress: Egress, requestsPerSecond: number): PoliteRequests {
  const { turns, rules } = mannersOf.get(egress) ?? { turns: new Turns(), rules: new Map() };
  mannersOf.set(egress, { turns, rules });

  const rulesOf = (address: string, signal: AbortSignal) => {
    const { origin } = parse(address);
    return unlessAborted(knownRules(egress, rules, origin), signal);
  };

  const get: PoliteRequests['get'] = async (address, options) => {
    const { host } = parse(address);
    const { delaySeconds, isAllowed } = await rulesOf(address, options.signal);
    if (!isAllowed(address)) throw forbidden();
    let waitedMs = 0;
    for (let left = TRIES - 1; ; left -= 1) {
      waitedMs += await turns.take(
        host,
        Math.max(1 / requestsPerSecond, delaySeconds) * 1000,
        options.signal,
      );
      const response = await egress.fetch(address, {
        ...options,
        headers: { ...options.headers, 'user-agent': USER_AGENT },
      });
      const wait = waitOf(response);
      if (wait === undefined || left === 0) {
        await requireStillAllowed(address, response, options.signal);
        return { ...response, waitedMs };
      }
      turns.hold(host, wait * 1000);
    }
  };

  /** The rules of a redirect's target apply too. */
  const requireStillAllowed = async (address: string, response: EgressResponse, signal: AbortSignal) => {
    if (response.url !== new URL(address).href) {
      const { isAllowed } = await rulesOf(response.url, signal);
      if (!isAllowed(response.url)) throw forbidden();
    }
  };

  return { get, rulesOf };
}

/** An address that egress rejects by itself is rejected before its site's rules are fetched, in the same words. */
function parse(address: string): URL {
  const url = URL.parse(address);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !isWeb || url.username || url.password) throw new AppError('egress/url-not-allowed');
  return url;
}

/**
 * Fetched at most once an hour. Not aborted with the first asker: others wait for the same rules. If newer ones are
 * unavailable, the previous ones stay, so that a brief outage of the site doesn't end a long read.
 */
function knownRules(egress: Egress, known: Map<string, KnownRules>, origin: string): Promise<SiteRules> {
  const found = known.get(origin);
  if (found && found.until > performance.now()) return found.rules;
  const fresh = readRules(egress, origin);
  const rules = found ? fresh.catch((error: unknown) => found.rules.catch(() => throwAgain(error))) : fresh;
  const entry = { rules, until: performance.now() + RULES_KEPT_MS };
  fresh.catch(() => (entry.until = performance.now() + FAILURE_KEPT_MS));
  rules.catch(() => {});
  known.delete(origin);
  known.set(origin, entry);
  const [oldest] = known.keys();
  if (known.size > SITES_KEPT && oldest !== undefined) known.delete(oldest);
  return entry.rules;
}

function throwAgain(error: unknown): never {
  throw error;
}

/** According to RFC 9309: without a file everything is allowed; with a failing or busy server nothing is. */
async function readRules(egress: Egress, origin: string): Promise<SiteRules> {
  const { status, body } = await egress.fetch(`${origin}/robots.txt`, {
    headers: { 'user-agent': USER_AGENT, accept: 'text/plain' },
  });
  if (status >= 500 || status === 429)
    throw new UnreadableError(
      `The site answered ${status} when asked for its robots.txt, so nothing on it is read.`,
    );
  return status === 200 ? parseRobots(body.toString('utf8')) : noRules;
}

/** Seconds to wait before retrying; undefined if the response is final. */
function waitOf({ status, headers }: EgressResponse): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const said = headers['retry-after']?.trim() ?? '';
  if (said === '') return RETRY_AFTER_DEFAULT_SECONDS;
  const seconds = /^\d+$/.test(said) ? Number(said) : Math.ceil((Date.parse(said) - Date.now()) / 1000);
  if (Number.isNaN(seconds)) return RETRY_AFTER_DEFAULT_SECONDS;
  return seconds > RETRY_AFTER_MAX_SECONDS ? undefined : Math.max(seconds, 0);
}

function forbidden(): UnreadableError {
  return new UnreadableError('The site does not allow this page to be read (robots.txt).');
}
