/** A stretch of a text under one heading. */
export interface Section {
  headingPath: string[];
  start: number;
  end: number;
}

/** Longer lines that begin like a heading are text. */
const HEADING_MAX_CHARACTERS = 200;
const headingLine = /^(#{1,6})[ \t](.*)$/;
const closingMarks = /(?<![ \t#])[ \t#]+$/;
const fenceLine = /^ {0,3}(```|~~~)/;
/** Under a line it makes a heading of it: the first kind of the first level, the other of the second. */
const underline = /^(?:={3,}|-{3,})[ \t]*$/;
/** Rows of tables, items of lists and quotes are no headings, whatever stands under them. */
const underlinable = /^(?![ \t>|]|[-*+][ \t]|\d+[.)][ \t])[^|]*[\p{L}\p{N}]/u;

/**
 * The stretches between a Markdown text's headings, with the headings above each. Lines of code are not headings. What consists of
 * headings alone is one stretch, for it would be found nowhere else.
 */
export function sectionsOf(source: string): Section[] {
  const sections: Section[] = [];
  const path: (string | undefined)[] = [];
  let current: Section = { headingPath: [], start: 0, end: 0 };
  let fence: string | undefined;
  /** The line before, where it stands alone. */
  let alone: Line | undefined;
  let isAfterBlank = true;
  for (const line of linesOf(source)) {
    const mark = fenceLine.exec(line.text)?.[1];
    if (mark && (fence === undefined || fence === mark)) fence = fence ? undefined : mark;
    const heading = fence ? undefined : (headingOf(line) ?? (alone && underlinedOf(alone, line)));
    if (heading) {
      sections.push({ ...current, end: heading.start });
      path.length = heading.level - 1;
      path[heading.level - 1] = plain(heading.text);
      current = { headingPath: path.filter((part) => part !== undefined), start: line.end, end: line.end };
    }
    alone = isAfterBlank && underlinable.test(line.text) ? line : undefined;
    isAfterBlank = line.text.trim() === '';
  }
  sections.push({ ...current, end: source.length });
  const said = sections.filter(({ start, end }) => source.slice(start, end).trim() !== '');
  return said.length > 0 ? said : [{ headingPath: [], start: 0, end: source.length }];
}

interface Line {
  /** Empty for one that is longer than a heading. */
  text: string;
  start: number;
  end: number;
}

function* linesOf(source: string): Generator<Line> {
  for (let start = 0; start < source.length;) {
    const newline = source.indexOf('\n', start);
    const end = newline === -1 ? source.length : newline;
    const isLong = end - start > HEADING_MAX_CHARACTERS;
    yield { text: isLong ? '' : source.slice(start, end).replace(/^\f+/, ''), start, end };
    start = end + 1;
  }
}

interface Heading {
  level: number;
  text: string;
  start: number;
}

function headingOf({ text, start }: Line): Heading | undefined {
  const [, marks, said] = headingLine.exec(text) ?? [];
  if (marks === undefined) return undefined;
  return { level: marks.length, text: (said ?? '').replace(closingMarks, ''), start };
}

function underlinedOf({ text, start }: Line, under: Line): Heading | undefined {
  if (!underline.test(under.text)) return undefined;
  return { level: under.text.startsWith('=') ? 1 : 2, text, start };
}

/** A heading as it reads, without the marks of links and emphasis. */
function plain(heading: string): string {
  return heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim();
}
