import type { Document } from './document.ts';

/** Text and Markdown as they are, their lines ended as ours. */
export function readPlain(written: string): Document {
  const text = withOurLines(written);
  return { title: /^# (.+)$/m.exec(text.slice(0, 2000))?.[1]?.trim() ?? null, text: text.trim() };
}

/** What is a line, a paragraph and a heading is told by `\n` alone. */
export function withOurLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
