/** Nothing written for people nests this deep, or has this many links, or this many marks in one paragraph. */
const DEPTH_MAX = 30;
const LINKS_MAX = 2000;
const MARKS_MAX = 1500;

/**
 * Markdown that would keep parsers busy for seconds or minutes while nobody else is served: they scan what is nested,
 * and what may close an open construct, over and over. A model produces it when someone asks for it.
 */
export function isIntricate(markdown: string): boolean {
  return (
    countOf(markdown, '[') > LINKS_MAX ||
    markdown.split('\n').some((line) => containersOf(line) > DEPTH_MAX) ||
    paragraphsOf(markdown).some((text) => nestingOf(text) > DEPTH_MAX || countOf(text, '*_~') > MARKS_MAX)
  );
}

/** The text unchanged, in a code block, which parsers skip. */
export function asCode(text: string): string {
  return `\`\`\`\n${text.replaceAll(/`{3,}/g, "'''")}\n\`\`\``;
}

function countOf(text: string, signs: string): number {
  let count = 0;
  for (const sign of text) if (signs.includes(sign)) count += 1;
  return count;
}

/** The number of quotes and lists around a line. */
function containersOf(line: string): number {
  const [marks = ''] = /^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/.exec(line) ?? [];
  return countOf(marks, '>*+-.)');
}

/** Separated by an empty line, or by the start of a list item or table row. */
function paragraphsOf(markdown: string): string[] {
  return markdown.split(/\n(?=[ \t]*(?:\n|\||[*+-][ \t]|\d{1,9}[.)][ \t]))/);
}

function nestingOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const sign of text) {
    if (sign === '[') depth += 1;
    else if (sign === ']') depth = Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
