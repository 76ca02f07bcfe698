import type { Document } from './document.ts';

/** Text and Markdown as they are. */
export function readPlain(text: string): Document {
  return { title: /^# (.+)$/m.exec(text.slice(0, 2000))?.[1]?.trim() ?? null, text: text.trim() };
}

/**
 * Bytes as text: by the byte order mark, else the declared charset (of a page's header or its own head), else UTF-8, and
 * windows-1252 for what is not.
 */
export function decode(data: Uint8Array, declared?: string): string {
  const charset = bomOf(data) ?? declared ?? charsetInHead(data);
  return tryDecode(data, charset ?? 'utf-8') ?? new TextDecoder('windows-1252').decode(data);
}

function tryDecode(data: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(data);
  } catch {
    return undefined;
  }
}

function bomOf([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function charsetInHead(data: Uint8Array): string | undefined {
  const head = Buffer.from(data.subarray(0, 2048)).toString('latin1');
  return /<meta[^<>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
}
