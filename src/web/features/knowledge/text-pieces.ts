/** A part of a source's text as it is shown: plain, the passage that is pointed at, or the beginning of a page. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'mark'; text: string }
  | { kind: 'page'; page: number | null };

interface Marked {
  /** Characters from the start of the source's text to that of `text`. */
  start: number;
  text: string;
  /** The passage that is pointed at, in the source's text. */
  at: number;
  length: number;
}

/** Between pages stands a form feed; their numbers are known only where the text is shown from its beginning. */
export function piecesOf({ start, text, at, length }: Marked): Piece[] {
  const from = clamp(at - start, text.length);
  const to = clamp(at + length - start, text.length);
  let page = 1;
  const cut = (part: string, kind: 'text' | 'mark'): Piece[] =>
    part.split('\f').flatMap((stretch, index) => {
      if (index > 0) page += 1;
      const mark: Piece[] = index > 0 ? [{ kind: 'page', page: start === 0 ? page : null }] : [];
      return stretch === '' ? mark : [...mark, { kind, text: stretch }];
    });
  return [
    ...cut(text.slice(0, from), 'text'),
    ...cut(text.slice(from, to), 'mark'),
    ...cut(text.slice(to), 'text'),
  ];
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(0, value), max);
}
