import type { Document } from './document.ts';

/** Text and Markdown as they are. */
export function readPlain(text: string): Document {
  return { title: /^# (.+)$/m.exec(text.slice(0, 2000))?.[1]?.trim() ?? null, text: text.trim() };
}
