/** The format of passages in a prompt. In one place, because the built-in model parses what the prompt writes. */

export interface PromptPassage {
  /** The n that the answer cites as `[n]`. */
  number: number;
  title: string;
  /** Headings and page, as context for the model. */
  place: string;
  text: string;
}

/** Text written into a prompt can't close or open a passage, however it is spelled: knowledge stays data. */
function inert(text: string): string {
  return text.replace(/<(?=\s{0,20}\/?\s{0,20}(passage|fallback|file|result))/gi, '<\u200b');
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

/** A document attached to the conversation. */
export function writeFile(name: string, text: string): string {
  return `<file name="${attribute(name)}">\n${inert(text)}\n</file>`;
}

/** A tool's response. */
export function writeResult(text: string): string {
  return `<result>\n${inert(text)}\n</result>`;
}

const opening = '<passage number="';
const head = /^<passage number="(\d{1,6})" title="([^"]*)" place="([^"]*)">\n/;

export function readPassages(prompt: string): PromptPassage[] {
  const closed = prompt.split('\n</passage>').slice(0, -1);
  return closed.flatMap((part) => {
    const passage = part.slice(part.lastIndexOf(opening));
    const found = head.exec(passage);
    if (!found) return [];
    const [whole, number, title = '', place = ''] = found;
    return [{ number: Number(number), title, place, text: passage.slice(whole.length) }];
  });
}

export function readFallback(prompt: string): string | undefined {
  // The rules before it mention it; nothing inside it can close it.
  const end = prompt.lastIndexOf('</fallback>');
  const start = prompt.lastIndexOf('<fallback>', end);
  return end < 0 || start < 0 ? undefined : prompt.slice(start + '<fallback>'.length, end);
}

const fileOpening = '<file name="';
const fileHead = /^<file name="([^"]*)">\n/;
const fileClosing = '\n</file>';

/** A message's documents as written by `writeFile`, and the text beside them. */
export function readFiles(message: string): { files: { name: string; text: string }[]; said: string } {
  const parts = message.split(fileClosing);
  const said = parts.pop() ?? '';
  const files = parts.flatMap((part) => {
    const file = part.slice(part.indexOf(fileOpening));
    const found = fileHead.exec(file);
    return found ? [{ name: found[1] ?? '', text: file.slice(found[0].length) }] : [];
  });
  return { files, said: said.trim() };
}
