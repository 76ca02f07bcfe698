import { CRAWL_DELAY_MAX_SECONDS } from '../../../../contract/limits.ts';
import { UnreadableError } from '../read/document.ts';
import { encoded, holdsStretches, stretchesOf } from './pattern.ts';

/** The user agent for reading pages; site owners can name it in their robots.txt. */
export const USER_AGENT = 'ParleyBot';

/** What a site allows us to do. */
export interface SiteRules {
  readonly isAllowed: (url: string) => boolean;
  /** The requested number of seconds between two requests; 0 if none is requested. */
  delaySeconds: number;
  /** Addresses of its sitemaps, as written by the site. */
  sitemaps: string[];
}

/** How much of an endless file is read (RFC 9309 asks for 500 KiB). */
const CHARACTERS_MAX = 500 * 1024;
const SITEMAP_LINES_MAX = 50;
/** No address is longer, so a longer rule can't match any. */
const PATTERN_MAX_CHARACTERS = 2048;
/** The parts between two stars are searched for throughout every address. No well-meaning site has this many. */
const SEARCHED_MAX = 2000;

export const noRules: SiteRules = { isAllowed: () => true, delaySeconds: 0, sitemaps: [] };

interface Rule {
  stretches: string[];
  characters: number;
  allows: boolean;
}

interface Group {
  rules: Rule[];
  delaySeconds: number;
}

/**
 * A robots.txt's rules according to RFC 9309: of all groups that name us, or else those for everyone, the longest
 * matching rule decides, and in case of ties the one that allows. Only rules that apply to us are kept, and each is
 * matched in time linear in its length. Errors: `UnreadableError` if a file with thousands of names and stars would
 * take too long per address.
 */
export function parseRobots(text: string): SiteRules {
  const groups = new Map<string, Group>();
  const sitemaps: string[] = [];
  let current = new Set<Group>();
  let isNaming = false;
  for (const line of text
    .slice(0, CHARACTERS_MAX)
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:([^#]*)/.exec(line) ?? [];
    switch (field.toLowerCase()) {
      case 'user-agent': {
        if (!isNaming) current = new Set();
        isNaming = true;
        const group = groupOf(groups, value.trim());
        if (group) current.add(group);
        break;
      }
      case 'allow':
      case 'disallow':
        isNaming = false;
        addRule(current, value.trim(), field.toLowerCase() === 'allow');
        break;
      case 'crawl-delay':
        isNaming = false;
        for (const group of current) group.delaySeconds = delayOf(value);
        break;
      case 'sitemap':
        if (sitemaps.length < SITEMAP_LINES_MAX) sitemaps.push(line.slice(line.indexOf(':') + 1).trim());
        break;
    }
  }
  const { rules, delaySeconds } = groups.get(USER_AGENT.toLowerCase()) ?? groups.get('*') ?? nobody;
  const strongest = rules.toSorted(
    (a, b) => b.characters - a.characters || Number(b.allows) - Number(a.allows),
  );
  const searched = strongest.reduce((sum, { stretches }) => sum + Math.max(stretches.length - 2, 0), 0);
  if (searched > SEARCHED_MAX)
    throw new UnreadableError(
      'The site’s robots.txt has too many rules to follow, so nothing on it is read.',
    );
  return { isAllowed: (url) => isAllowed(strongest, url), delaySeconds, sitemaps };
}

const nobody: Group = { rules: [], delaySeconds: 0 };

/** Undefined for another crawler's group. */
function groupOf(groups: Map<string, Group>, name: string): Group | undefined {
  const agent = name === '*' ? '*' : (/^[a-z_-]+/i.exec(name)?.[0].toLowerCase() ?? '');
  if (agent !== '*' && agent !== USER_AGENT.toLowerCase()) return undefined;
  const group = groups.get(agent) ?? { rules: [], delaySeconds: 0 };
  groups.set(agent, group);
  return group;
}

/** A rule without a path has no effect. It matches everything that starts with it, unless it ends in `$`. */
function addRule(groups: Set<Group>, path: string, allows: boolean): void {
  if (path === '' || path.length > PATTERN_MAX_CHARACTERS) return;
  const pattern = encoded(path.endsWith('$') ? path.slice(0, -1) : `${path}*`);
  const rule = { stretches: stretchesOf(pattern), characters: pattern.length, allows };
  for (const group of groups) group.rules.push(rule);
}

function delayOf(value: string): number {
  const seconds = Number(value);
  return seconds > 0 ? Math.min(seconds, CRAWL_DELAY_MAX_SECONDS) : 0;
}

/** The first one that matches the address decides. */
function isAllowed(strongest: Rule[], address: string): boolean {
  const { pathname, search } = new URL(address);
  const target = encoded(pathname + search);
  return strongest.find(({ stretches }) => holdsStretches(stretches, target))?.allows ?? true;
}
