/**
 * A user-entered name or title for use in our own Markdown: on one line, with no character having a special meaning.
 * Discord, which receives Markdown as is, treats the backslash the same way.
 */
export function plainInMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_~[\]<>|&!]/g, String.raw`\$&`);
}
