import { walkTokens, type Token, type TokenizerAndRendererExtension } from 'marked';

/** `[^label]` in a text. Whether it is a footnote or plain text is known only once the text is complete. */
export interface FootnoteMark {
  type: 'footnoteMark';
  raw: string;
  label: string;
}

/** `[^label]: …` on its own line, with the indented lines below it. */
export interface Footnote {
  type: 'footnote';
  raw: string;
  label: string;
  tokens: Token[];
}

const MARK = /^\[\^([^\]\s]{1,100})\](?!\()/;
const FIRST_LINE = /^ {0,3}\[\^([^\]\s]{1,100})\]:[ \t]*(?!\[\^)([^\n]*)(?:\n|$)/;
/** An indented line, or an empty one followed by an indented one. */
const INDENTED = /^(?:(?: {2,}|\t)[^\n]*|[ \t]*\n(?: {2,}|\t)[^\n]*)(?:\n|$)/;
/** A line that continues the paragraph above: it starts no block. */
const GOES_ON = /^(?![ \t]*(?:\n|$)| {0,3}(?:\[\^|[#>|`~*+-]|\d{1,9}[.)]|\$\$|\\\[))[^\n]*(?:\n|$)/;
const INDENT = /^(?: {1,4}|\t)/gm;

export const footnoteMark: TokenizerAndRendererExtension = {
  name: 'footnoteMark',
  level: 'inline',
  start: (source) => startOf(source.indexOf('[^')),
  tokenizer(source): FootnoteMark | undefined {
    // A link inside a link leads nowhere.
    const [raw, label] = (!this.lexer.state.inLink && MARK.exec(source)) || [];
    return raw === undefined || label === undefined
      ? undefined
      : { type: 'footnoteMark', raw, label: label.toLowerCase() };
  },
};

export const footnote: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => startOf(source.search(/\n {0,3}\[\^[^\]\s]{1,100}\]:/), 1),
  tokenizer(source): Footnote | undefined {
    const [first, label, words] = FIRST_LINE.exec(source) ?? [];
    if (first === undefined || label === undefined) return undefined;
    const rest = restOf(source.slice(first.length));
    const body = `${words}\n${rest.replaceAll(INDENT, '')}`;
    return {
      type: 'footnote',
      raw: first + rest,
      label: label.toLowerCase(),
      tokens: this.lexer.blockTokens(body, []),
    };
  },
};

function startOf(place: number, after = 0): number | undefined {
  return place < 0 ? undefined : place + after;
}

/** The lines below the first that belong to it. */
function restOf(source: string): string {
  let end = 0;
  let inParagraph = true;
  for (;;) {
    const left = source.slice(end);
    const line: string | undefined = (INDENTED.exec(left) ?? (inParagraph ? GOES_ON.exec(left) : null))?.[0];
    if (!line) return source.slice(0, end);
    inParagraph = !line.startsWith('\n');
    end += line.length;
  }
}

/** The footnotes that are both explained and referenced, in order of reference, which determines their numbers. */
export function footnotesOf(tokens: Token[]): Footnote[] {
  const explained = new Map<string, Footnote>();
  const used = new Set<Footnote>();
  void walkTokens(tokens, (token) => {
    if (isFootnote(token) && !explained.has(token.label)) explained.set(token.label, token);
  });
  if (explained.size === 0) return [];
  const use = (token: Token) => {
    const meant = isMark(token) ? explained.get(token.label) : undefined;
    if (meant) used.add(meant);
  };
  void walkTokens(
    tokens.filter((token) => !isFootnote(token)),
    use,
  );
  // Those referenced only by another footnote come after those referenced in the text.
  for (const each of used) void walkTokens(each.tokens, use);
  return [...used];
}

function isFootnote(token: Token | Footnote): token is Footnote {
  return token.type === 'footnote';
}

function isMark(token: Token | FootnoteMark): token is FootnoteMark {
  return token.type === 'footnoteMark';
}
