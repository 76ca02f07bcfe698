import type { Nodes } from 'chat';
import { isAddressElsewhere } from './star-markup.ts';

/**
 * Markdown for Discord, which takes it as written with two exceptions: tables are drawn as text, and a link whose label
 * looks like another address is shown with its real one. A table that would become too long stays as written.
 */
export async function toDiscord(markdown: string, maxCharacters: number): Promise<string> {
  const drawn = await rewrite(markdown, { drawsTables: true });
  if (drawn.length <= maxCharacters) return drawn;
  return (await rewrite(markdown, { drawsTables: false })).slice(0, maxCharacters);
}

async function rewrite(markdown: string, { drawsTables }: { drawsTables: boolean }): Promise<string> {
  const { parseMarkdown, tableToAscii, toPlainText } = await import('chat');
  const changes: { start: number; end: number; words: string }[] = [];
  const look = (node: Nodes): void => {
    const words = wordsFor(node);
    const { start, end } = node.position ?? {};
    if (words !== undefined && start?.offset !== undefined && end?.offset !== undefined)
      changes.push({ start: start.offset, end: end.offset, words });
    else if ('children' in node) for (const child of node.children) look(child);
  };
  const wordsFor = (node: Nodes): string | undefined => {
    if (node.type === 'table' && drawsTables) return `\`\`\`\n${tableToAscii(node)}\n\`\`\``;
    if (node.type !== 'link' || !URL.canParse(node.url)) return undefined;
    const label = toPlainText({ type: 'root', children: [{ type: 'paragraph', children: node.children }] });
    return isAddressElsewhere(label, node.url) ? `${label} (<${node.url}>)` : undefined;
  };
  look(parseMarkdown(markdown));
  return changes.reduceRight(
    (text, { start, end, words }) => text.slice(0, start) + words + text.slice(end),
    markdown,
  );
}
