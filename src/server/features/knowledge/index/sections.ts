/** A section of a text under one heading. */
export interface Section {
  headingPath: string[];
  start: number;
  end: number;
}

/** Longer lines that start like a heading are text. */
const HEADING_MAX_CHARACTERS = 200;
const headingLine = /^(#{1,6})[ \t](.*)$/;
const closingMarks = /(?<![ \t#])[ \t#]+$/;
const fenceLine = /^ {0,3}(```|~~~)/;
/** Turns the line above it into a heading: of the first level with `=`, of the second with `-`. */
const underline = /^(?:={3,}|-{3,})[ \t]*$/;
/** Table rows, list items and quotes aren't headings, whatever is below them. */
const underlinable = /^(?![ \t>|]|[-*+][ \t]|\d+[.)][ \t])[^|]*[\p{L}\p{N}]/u;

/**
 * The sections between a Markdown text's headings, with the headings above each. Lines of code aren't headings. A text
 * of headings alone is a single section, because they would otherwise not be found at all.
 */
export function sectionsOf(source: string): Section[] {
  const sections: Section[] = [];
  const path: (string | undefined)[] = [];
  let current: Section = { headingPath: [], start: 0, end: 0 };
  let fence: string | undefined;
  /** The previous line, if it stands alone. */
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
  /** Empty for a line longer than a heading. */
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

/** A heading as displayed, without link and emphasis markup. */
function plain(heading: string): string {
  return heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim();
}
