/**
 * What somebody typed as a name or title, within Markdown of ours: on one line, and no sign in it means more than itself. Discord,
 * which is given Markdown as it is, reads the backslash as Markdown does.
 */
export function plainInMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_~[\]<>|&!]/g, String.raw`\$&`);
}
