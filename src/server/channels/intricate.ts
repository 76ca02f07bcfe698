/** Nothing that people read is nested as deep, has as many links, or as many marks in one paragraph. */
const DEPTH_MAX = 30;
const LINKS_MAX = 2000;
const MARKS_MAX = 1500;

/**
 * Markdown that takes readers of it seconds or minutes, in which nobody else is served: they look at what is nested in it, and at what
 * may end what was begun, again and again. A model writes it when somebody asks for it.
 */
export function isIntricate(markdown: string): boolean {
  return (
    countOf(markdown, '[') > LINKS_MAX ||
    markdown.split('\n').some((line) => containersOf(line) > DEPTH_MAX) ||
    paragraphsOf(markdown).some((text) => nestingOf(text) > DEPTH_MAX || countOf(text, '*_~') > MARKS_MAX)
  );
}

/** Such a text as it was written, in a block of code, which readers pass over. */
export function asCode(text: string): string {
  return `\`\`\`\n${text.replaceAll(/`{3,}/g, "'''")}\n\`\`\``;
}

function countOf(text: string, signs: string): number {
  let count = 0;
  for (const sign of text) if (signs.includes(sign)) count += 1;
  return count;
}

/** Quotes and lists that a line is in. */
function containersOf(line: string): number {
  const [marks = ''] = /^(?:[ \t]*(?:>|[*+-](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/.exec(line) ?? [];
  return countOf(marks, '>*+-.)');
}

/** An empty line parts them, and so does the beginning of an item or of a row. */
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
