/** A place in a text, in UTF-16 units; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

interface Piece {
  node: Text;
  /** Where the node's text begins in the whole text. */
  start: number;
}

const UNITS = 'p, li, td, th, pre, h3, h4, h5, h6, figcaption, blockquote';

/**
 * Highlights what `find` sees in an element's text, as `::highlight(name)`, on top of a rendering that stays unchanged.
 * Blocks are lines of that text, and a table's rows too. A browser without support shows it without highlights.
 */
export function highlightText(element: HTMLElement, name: string, find: (text: string) => Span[]) {
  if (!('highlights' in CSS)) return { first: null, remove: () => undefined };
  const marks = CSS.highlights.get(name) ?? new Highlight();
  CSS.highlights.set(name, marks);
  const { text, pieces } = textOf(element);
  const ranges = find(text).map((span) => rangeOf(span, pieces));
  for (const range of ranges) marks.add(range);
  const remove = () => {
    for (const range of ranges) marks.delete(range);
  };
  return { first: ranges[0] ?? null, remove };
}

function textOf(element: HTMLElement): { text: string; pieces: Piece[] } {
  const pieces: Piece[] = [];
  let text = '';
  let last: Element | null = null;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (!(node instanceof Text)) continue;
    const unit = node.parentElement?.closest(UNITS) ?? null;
    if (last && unit !== last) text += areCellsOfARow(last, unit) ? ' ' : '\n';
    last = unit;
    pieces.push({ node, start: text.length });
    // Where a paragraph's source has a new line, the page has a space.
    text += unit?.matches('pre') ? node.data : node.data.replaceAll('\n', ' ');
  }
  return { text, pieces };
}

function areCellsOfARow(one: Element, other: Element | null): boolean {
  const row = one.closest('tr');
  return row !== null && row === other?.closest('tr');
}

function rangeOf({ start, end }: Span, pieces: readonly Piece[]): Range {
  const range = new Range();
  const place = (at: number) => {
    // There is one: the first begins at 0.
    const { node, start: from } = pieces.findLast((piece) => piece.start <= at) as Piece;
    return [node, Math.min(at - from, node.length)] as const;
  };
  range.setStart(...place(start));
  // The end lies in the node of the last letter.
  const [node, offset] = place(end - 1);
  range.setEnd(node, Math.min(offset + 1, node.length));
  return range;
}
