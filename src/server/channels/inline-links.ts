import type { Nodes } from 'chat';

interface Change {
  start: number;
  end: number;
  words: string;
}

/**
 * Markdown with reference links turned into inline ones. Some services don't support reference links, and when a text
 * is split, their definitions could end up in another message.
 */
export async function withInlineLinks(markdown: string): Promise<string> {
  if (!markdown.includes(']:')) return markdown;
  const { parseMarkdown } = await import('chat');
  const root = parseMarkdown(markdown);
  const addresses = new Map<string, string>();
  learnAddresses(root, addresses);
  const inlined = changesIn(root, addresses)
    .toSorted((one, other) => one.start - other.start)
    .reduceRight((text, { start, end, words }) => text.slice(0, start) + words + text.slice(end), markdown);
  return inlined.trim() === '' ? markdown : inlined;
}

/** With duplicate names, the first one counts. */
function learnAddresses(node: Nodes, addresses: Map<string, string>): void {
  if (node.type === 'definition' && !addresses.has(node.identifier)) addresses.set(node.identifier, node.url);
  if ('children' in node) for (const child of node.children) learnAddresses(child, addresses);
}

function changesIn(node: Nodes, addresses: Map<string, string>): Change[] {
  const own = changeOf(node, addresses);
  const inner = 'children' in node ? node.children.flatMap((child) => changesIn(child, addresses)) : [];
  return own ? [...inner, own] : inner;
}

/** The link text stays as written. */
function changeOf(node: Nodes, addresses: Map<string, string>): Change | undefined {
  const [start, end] = [node.position?.start.offset, node.position?.end.offset];
  if (start === undefined || end === undefined) return undefined;
  if (node.type === 'definition') return { start, end, words: '' };
  if (node.type !== 'linkReference' && node.type !== 'imageReference') return undefined;
  const address = `](${addressOf(addresses.get(node.identifier) ?? '')})`;
  if (node.type === 'imageReference') return { start, end, words: `![${node.alt ?? ''}${address}` };
  const wordsEnd = node.children.at(-1)?.position?.end.offset;
  return wordsEnd === undefined ? undefined : { start: wordsEnd, end, words: address };
}

/** An address with characters that would end it early goes in angle brackets. */
function addressOf(url: string): string {
  return /[\s()]/.test(url) ? `<${url.replaceAll(/[<>]/g, encodeURIComponent)}>` : url;
}
