import { text } from '../../../html.ts';

/**
 * Paragraphs, headings, lists, bold, italic, code and links to websites. These few don't need a Markdown parser, and
 * nothing else that was typed becomes markup.
 */
export function richText(source: string): string {
  return source
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map(blockOf)
    .join('\n');
}

function blockOf(block: string): string {
  const lines = block.split('\n').map((line) => line.trim());
  const heading = /^#{1,3}\s+(\S.*)$/.exec(lines[0] ?? '')?.[1];
  if (heading !== undefined) {
    const rest = lines.slice(1).join('\n');
    return `<h3>${inline(heading)}</h3>${rest === '' ? '' : blockOf(rest)}`;
  }
  if (lines.every((line) => /^[-*]\s+\S/.test(line))) return listOf('ul', lines, /^[-*]\s+/);
  if (lines.every((line) => /^\d{1,3}[.)]\s+\S/.test(line))) return listOf('ol', lines, /^\d{1,3}[.)]\s+/);
  return `<p>${lines.map(inline).join('<br>')}</p>`;
}

function listOf(kind: 'ul' | 'ol', lines: string[], mark: RegExp): string {
  return `<${kind}>${lines.map((line) => `<li>${inline(line.replace(mark, ''))}</li>`).join('')}</${kind}>`;
}

const MARKED = /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`|\[[^[\]]+\]\([^()\s]+\))/;

function inline(line: string): string {
  return line.split(MARKED).map(pieceOf).join('');
}

function pieceOf(piece: string): string {
  if (piece.length > 4 && piece.startsWith('**') && piece.endsWith('**'))
    return `<strong>${text(piece.slice(2, -2))}</strong>`;
  if (/^\*[^*]+\*$/.test(piece)) return `<em>${text(piece.slice(1, -1))}</em>`;
  if (/^`[^`]+`$/.test(piece)) return `<code>${text(piece.slice(1, -1))}</code>`;
  const [, label, address] = /^\[([^[\]]+)\]\(([^()\s]+)\)$/.exec(piece) ?? [];
  const url = URL.parse(address ?? '');
  if (label !== undefined && url && /^https?:$/.test(url.protocol))
    return `<a href="${text(url.href)}" rel="nofollow noopener">${text(label)}</a>`;
  return text(piece);
}
