import type { Nodes } from 'chat';

/** Links that come of pictures may leave others whole; after so many looks no mark of a picture is left, also where it is none. */
const LOOKS_MAX = 3;

/**
 * Markdown whose pictures are links. A picture is fetched by whoever shows it, unasked: a model that was led to write one could send
 * away by its address what it knows.
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

/** With what its words hold, which would be pictures in a link. */
function asLink(text: string, { start, end }: Range): string {
  const before = text.slice(0, start).replace(/(?<!!)!+$/, '');
  return before + withoutMarks(text.slice(start, end)) + text.slice(end);
}

function withoutMarks(text: string): string {
  return text.replaceAll(/(?<!!)!+\[/g, '[');
}
