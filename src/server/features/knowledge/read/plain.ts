import type { Document } from './document.ts';

/** Text and Markdown unchanged, except for line endings. */
export function readPlain(written: string): Document {
  const text = withOurLines(written);
  return { title: /^# (.+)$/m.exec(text.slice(0, 2000))?.[1]?.trim() ?? null, text: text.trim() };
}

/** Lines, paragraphs and headings are recognized by `\n` alone. */
export function withOurLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
