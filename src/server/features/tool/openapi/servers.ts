import { at } from './references.ts';

const SERVERS_MAX = 20;

/** Address templates are filled with their default values; invalid addresses are left out. */
export function serversOf(root: unknown, documentUrl: string | null): string[] {
  const listed = at(root, 'servers');
  const given = Array.isArray(listed) && listed.length > 0 ? listed : [{ url: '/' }];
  const addresses = given.slice(0, SERVERS_MAX).flatMap((server) => {
    const template = at(server, 'url');
    if (typeof template !== 'string') return [];
    const written = template.replace(/\{([^{}]{1,100})\}/g, (_whole, name: string) => {
      const usual = at(at(at(server, 'variables'), name), 'default');
      return typeof usual === 'string' || typeof usual === 'number' ? String(usual) : '';
    });
    const url = documentUrl === null ? URL.parse(written) : URL.parse(written, documentUrl);
    return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.href.length <= 2048
      ? [url.href]
      : [];
  });
  return [...new Set(addresses)];
}

/**
 * True if the nearest level around an operation that names servers names other ones than the document: a tool has one
 * address, which its secret is sent to.
 */
export function goesElsewhere(
  around: readonly unknown[],
  servers: readonly string[],
  documentUrl: string | null,
): boolean {
  const own = around.find((node) => isListed(at(node, 'servers')));
  if (own === undefined || servers.length === 0) return false;
  return !serversOf(own, documentUrl).some((address) => servers.includes(address));
}

const isListed = (servers: unknown): boolean => Array.isArray(servers) && servers.length > 0;
