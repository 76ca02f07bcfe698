/** A part of a source's text as displayed: plain, the selected passage, or the start of a page. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'mark'; text: string }
  | { kind: 'page'; page: number | null };

interface Marked {
  /** The offset of `text` in the source's text, in characters. */
  start: number;
  text: string;
  /** The selected passage, in the source's text. */
  at: number;
  length: number;
}

/** Pages are separated by form feeds; their numbers are known only if the text is shown from its start. */
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
