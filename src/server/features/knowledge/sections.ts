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

/**
 * The stretches between a Markdown text's headings, with the headings above each. Lines of code are not headings. What consists of
 * headings alone is one stretch, for it would be found nowhere else.
 */
export function sectionsOf(source: string): Section[] {
  const sections: Section[] = [];
  const path: (string | undefined)[] = [];
  let current: Section = { headingPath: [], start: 0, end: 0 };
  let fence: string | undefined;
  for (let lineStart = 0; lineStart < source.length;) {
    const newline = source.indexOf('\n', lineStart);
    const lineEnd = newline === -1 ? source.length : newline;
    const line =
      lineEnd - lineStart > HEADING_MAX_CHARACTERS
        ? ''
        : source.slice(lineStart, lineEnd).replace(/^\f+/, '');
    const mark = fenceLine.exec(line)?.[1];
    if (mark && (fence === undefined || fence === mark)) fence = fence ? undefined : mark;
    const heading = fence ? null : headingLine.exec(line);
    if (heading) {
      sections.push({ ...current, end: lineStart });
      const level = (heading[1] ?? '').length;
      path.length = level - 1;
      path[level - 1] = plain((heading[2] ?? '').replace(closingMarks, ''));
      current = { headingPath: path.filter((part) => part !== undefined), start: lineEnd, end: lineEnd };
    }
    lineStart = lineEnd + 1;
  }
  sections.push({ ...current, end: source.length });
  const said = sections.filter(({ start, end }) => source.slice(start, end).trim() !== '');
  return said.length > 0 ? said : [{ headingPath: [], start: 0, end: source.length }];
}

/** A heading as it reads, without the marks of links and emphasis. */
function plain(heading: string): string {
  return heading
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/[*`]/g, '')
    .trim();
}
