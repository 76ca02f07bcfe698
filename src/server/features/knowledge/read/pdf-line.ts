/** A piece of a line as returned by the library: often a single character, which it can't order itself. */
export interface Piece {
  str: string;
  dir: string;
  /** Its fifth number is the horizontal position of the start. */
  transform: number[];
  height: number;
}

/** A piece that starts this many heights to the left of the previous one belongs to something else: a table cell. */
const JUMP_HEIGHTS = 3;
/** The contextual forms of Arabic letters, and their ligatures. */
const SHAPES = /[\ufb50-\ufdff\ufe70-\ufefc]+/g;
const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '«': '»',
  '»': '«',
};

/**
 * A line's text in reading order. Browsers write Arabic and Hebrew character by character from left to right, as
 * displayed; other programs write in reading order, which is kept.
 */
export function textOfLine(line: readonly Piece[]): string {
  if (line.every(({ dir }) => dir !== 'rtl')) return textOf(line);
  const text = partsOf(line).map(textOfPart).join(' ');
  // A combining mark belongs to the preceding letter.
  return text.replace(SHAPES, (shapes) => shapes.normalize('NFKC')).replace(/ (?=\p{Mn})/gu, '');
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ str }) => str).join('');
const leftOf = ({ transform }: Piece): number => transform[4] ?? 0;

/** Split where the line restarts further left. */
function partsOf(line: readonly Piece[]): Piece[][] {
  const parts: Piece[][] = [];
  let before: Piece | undefined;
  for (const piece of line) {
    if (piece.str === '') continue;
    const isNew =
      !before || leftOf(before) - leftOf(piece) > JUMP_HEIGHTS * Math.max(piece.height, before.height);
    if (isNew) parts.push([]);
    parts.at(-1)?.push(piece);
    before = piece;
  }
  return parts;
}

function textOfPart(part: Piece[]): string {
  const letters = part.filter(({ dir }) => dir === 'rtl');
  const steps = letters.slice(1).map((piece, at) => leftOf(piece) - leftOf(letters[at] as Piece));
  const rightwards = steps.filter((step) => step > 0).length;
  if (rightwards <= steps.length / 2) return textOf(part);
  const isMostlyOther = textOf(part.filter(isWord)).length > textOf(letters).length;
  return isMostlyOther ? textOf(withTurnedRuns(part)) : textOf(turned(part));
}

/** Latin letters, digits and the like, which always run from left to right. */
const isOther = ({ str, dir }: Piece): boolean => dir !== 'rtl' && /[\p{L}\p{N}]/u.test(str);
const isWord = (piece: Piece | undefined): boolean =>
  piece !== undefined && isOther(piece) && /\p{L}/u.test(piece.str);

/** From right to left, except for what runs the other way. */
function turned(part: readonly Piece[]): Piece[] {
  const read: Piece[] = [];
  let other: Piece[] = [];
  const end = () => {
    read.push(...other.toReversed());
    other = [];
  };
  const reversed = part.toReversed();
  for (const [at, piece] of reversed.entries()) {
    const isBetween = other.length > 0 && isSpace(piece) && isWord(other.at(-1)) && isWord(reversed[at + 1]);
    if (isOther(piece) || isBetween || (other.length > 0 && joinsFigures(piece, reversed[at + 1])))
      other.push(piece);
    else {
      end();
      read.push({ ...piece, str: MIRRORED[piece.str] ?? piece.str });
    }
  }
  end();
  return read;
}

const isSpace = ({ str }: Piece): boolean => str.trim() === '';
const joinsFigures = ({ str }: Piece, next: Piece | undefined): boolean =>
  /^[.,:/-]$/.test(str) && next !== undefined && isOther(next);

/** For a line in another language: reverses the words that run from right to left. */
function withTurnedRuns(part: readonly Piece[]): Piece[] {
  const read: Piece[] = [];
  let run: Piece[] = [];
  const end = () => {
    const last = run.findLastIndex(({ dir }) => dir === 'rtl');
    read.push(...turned(run.slice(0, last + 1)), ...run.slice(last + 1));
    run = [];
  };
  for (const piece of part) {
    if (isOther(piece)) end();
    if (run.length > 0 || piece.dir === 'rtl') run.push(piece);
    else read.push(piece);
  }
  end();
  return read;
}
