/** How passages stand in a prompt. One place, because the built-in model reads back what the prompt writes. */

export interface PromptPassage {
  /** The n that the answer cites as `[n]`. */
  number: number;
  title: string;
  /** Headings and page, for the model's orientation. */
  place: string;
  text: string;
}

/** What is written into a prompt can't close or open a passage: knowledge stays data, whatever it says. */
function inert(text: string): string {
  return text.replace(/<(\/?)(passage|fallback)/gi, '<\u200b$1$2');
}

function attribute(text: string): string {
  return inert(text).replace(/"/g, "'").replace(/\s+/g, ' ');
}

export function writePassage({ number, title, place, text }: PromptPassage): string {
  return `<passage number="${number}" title="${attribute(title)}" place="${attribute(place)}">\n${inert(text)}\n</passage>`;
}

export function writeFallback(text: string): string {
  return `<fallback>${inert(text)}</fallback>`;
}

export function readPassages(prompt: string): PromptPassage[] {
  const pattern = /<passage number="(\d+)" title="([^"]*)" place="([^"]*)">\n([\s\S]*?)\n<\/passage>/g;
  return [...prompt.matchAll(pattern)].map(([, number, title, place, text]) => ({
    number: Number(number),
    title: title ?? '',
    place: place ?? '',
    text: text ?? '',
  }));
}

export function readFallback(prompt: string): string | undefined {
  return /<fallback>([\s\S]*?)<\/fallback>/.exec(prompt)?.[1];
}
