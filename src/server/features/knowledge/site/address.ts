import type { SiteSettings } from '../../../../contract/knowledge.ts';
import { encoded, holdsStretches, stretchesOf } from './pattern.ts';

const ADDRESS_MAX_CHARACTERS = 2048;

/** These say where a visitor came from, not which page it is. */
const tracking = /^(utm_\w+|fbclid|gclid|dclid|msclkid|mc_cid|mc_eid)$/i;

/** Extensions of files without text for people. A compressed sitemap isn't one of them. */
const notPages = new Set(
  (
    'jpg jpeg png gif webp avif svg ico bmp tif tiff psd mp4 m4v webm mov avi mkv mp3 wav ogg oga ogv flac m4a aac ' +
    'zip tgz bz2 xz zst 7z rar tar dmg exe msi iso img deb rpm apk jar bin css js mjs map woff woff2 ttf otf eot wasm ' +
    'ics vcf torrent'
  ).split(' '),
);

/**
 * The canonical form of a page's address: no fragment or tracking parameters, no default port, and a lower-case host.
 * Undefined if it isn't a page's address: another scheme, credentials, a picture, a video, an archive.
 */
export function normalizeAddress(href: string, base?: string): string | undefined {
  if (href.length > ADDRESS_MAX_CHARACTERS) return undefined;
  const url = URL.parse(href, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.username || url.password || isNoPage(url.pathname)) return undefined;
  // Each assignment parses the address again, even one that changes nothing, and a sitemap lists a million of them.
  if (url.href.includes('#')) url.hash = '';
  if (url.href.includes('?')) url.search = withoutTracking(url.search);
  const pathname = encoded(url.pathname);
  if (pathname !== url.pathname) url.pathname = pathname;
  return url.href.length > ADDRESS_MAX_CHARACTERS ? undefined : url.href;
}

function withoutTracking(search: string): string {
  const parts = search.slice(1).split('&');
  return parts.filter((part) => part !== '' && !tracking.test(part.split('=', 1)[0] ?? '')).join('&');
}

function isNoPage(pathname: string): boolean {
  const [ending = '', before = ''] = pathname.toLowerCase().split('.').toReversed();
  return notPages.has(ending) || (ending === 'gz' && before !== 'xml' && before !== 'txt');
}

/** The same host, with or without www., over http or https. */
export function isOfSite(address: string, start: string): boolean {
  return ofSites([start])(address);
}

/** The same for any of these sites, prepared for many addresses. */
export function ofSites(starts: readonly string[]): (address: string) => boolean {
  const hosts = new Set(starts.map(hostOf));
  return (address) => {
    const host = hostOf(address);
    return host !== undefined && hosts.has(host);
  };
}

function hostOf(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.host.replace(/^www\./, '');
}

type Wanted = Pick<SiteSettings, 'include' | 'exclude'>;

/** Whether a site's settings allow a page to be read; a pattern with a question mark also applies to the query. */
export function isWanted(address: string, site: Wanted): boolean {
  return wantedBy(site)(address);
}

/** The same, prepared for many addresses. */
export function wantedBy({ include, exclude }: Wanted): (address: string) => boolean {
  const [wanted, unwanted] = [include.map(prepared), exclude.map(prepared)];
  if (wanted.length === 0 && unwanted.length === 0) return (address) => URL.canParse(address);
  return (address) => {
    const url = URL.parse(address);
    if (!url) return false;
    const targets = { path: encoded(url.pathname), query: encoded(url.pathname + url.search) };
    const isMeant = ({ stretches, by }: Prepared) => holdsStretches(stretches, targets[by]);
    return (wanted.length === 0 || wanted.some(isMeant)) && !unwanted.some(isMeant);
  };
}

type Prepared = ReturnType<typeof prepared>;

function prepared(pattern: string) {
  return { stretches: stretchesOf(pattern), by: pattern.includes('?') ? 'query' : 'path' } as const;
}
