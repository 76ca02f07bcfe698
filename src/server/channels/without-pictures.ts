import type { Nodes } from 'chat';

/**
 * Links made from pictures may reveal further pictures; after this many passes every picture mark is removed, even
 * where it isn't one.
 */
const LOOKS_MAX = 3;

/**
 * Turns pictures in Markdown into links. A client that shows a picture fetches it unasked: a model manipulated into
 * writing one could leak what it knows through the picture's address.
 */
export async function withoutPictures(markdown: string): Promise<string> {
  let text = markdown;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    if (!text.includes('![')) return text;
    const { parseMarkdown } = await import('chat');
    const pictures = picturesIn(parseMarkdown(text));
    if (pictures.length === 0) return text;
    text = pictures.reduceRight(asLink, text);
  }
  return withoutMarks(text);
}

interface Range {
  start: number;
  end: number;
}

function picturesIn(node: Nodes): Range[] {
  const [start, end] = [node.position?.start.offset, node.position?.end.offset];
  const isPicture = node.type === 'image' || node.type === 'imageReference';
  if (isPicture && start !== undefined && end !== undefined) return [{ start, end }];
  return 'children' in node ? node.children.flatMap(picturesIn) : [];
}

/** Including marks in the label, which would be pictures inside a link. */
function asLink(text: string, { start, end }: Range): string {
  const before = text.slice(0, start).replace(/(?<!!)!+$/, '');
  return before + withoutMarks(text.slice(start, end)) + text.slice(end);
}

function withoutMarks(text: string): string {
  return text.replaceAll(/(?<!!)!+\[/g, '[');
}
