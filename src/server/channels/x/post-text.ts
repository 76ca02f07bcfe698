import { saysAll, toStars, type StarMarkup } from '../star-markup.ts';

/** For a post by a free account. */
const POST_MAX_WEIGHT = 280;
export const MESSAGE_MAX_CHARACTERS = 10_000;
/** More consecutive posts would annoy every follower. */
const POSTS_MAX = 6;
/** X counts every address as this, however long it is. */
const LINK_WEIGHT = 23;

/** X has no formatting, and turns addresses into links itself. */
const plain: StarMarkup = {
  isPlain: true,
  escape: (text) => text,
  link: (url, label) => (saysAll(label, url) ? label : `${label} ${url}`),
};

/** An answer as posts: each as long as X allows, split between words; whatever exceeds the last one ends in an ellipsis. */
export async function toPosts(markdown: string): Promise<string[]> {
  const text = withoutOwnMentions(await toStars(markdown, plain));
  // A word cut before its at sign can become a mention; the character that prevents this has a weight of 1.
  const posts = cut(text, (part) => weightOf(part) < POST_MAX_WEIGHT).map(withoutOwnMentions);
  if (posts.length <= POSTS_MAX) return posts;
  const last = cut(posts[POSTS_MAX - 1] ?? '', (text) => weightOf(`${text} …`) <= POST_MAX_WEIGHT)[0] ?? '';
  return [...posts.slice(0, POSTS_MAX - 1), `${last} …`];
}

/** An answer as direct messages. */
export async function toMessages(markdown: string): Promise<string[]> {
  return cut(await toStars(markdown, plain), (text) => text.length <= MESSAGE_MAX_CHARACTERS);
}

/**
 * X's count for a text, or more: 1 for letters of most alphabets and common characters, 2 for the rest, 23 for an
 * address (https://docs.x.com/fundamentals/counting-characters). Here, punctuation at the end of an address and the
 * parts of a composed emoji count separately.
 */
export function weightOf(text: string): number {
  const pieces = text.split(/[\s,;()<>"]/);
  // Each separator between two pieces counts 1.
  return pieces.reduce((sum, piece) => sum + weightOfPiece(piece), pieces.length - 1);
}

function weightOfPiece(piece: string): number {
  const characters = Array.from(piece);
  const heavy = characters.filter((character) => !isLight(character.codePointAt(0) ?? 0)).length;
  const isLink = /\.[a-z]{2}|:\/\//i.test(piece);
  return isLink ? LINK_WEIGHT + 1 + heavy * 2 : characters.length + heavy;
}

function isLight(code: number): boolean {
  return (
    code <= 0x10ff ||
    (code >= 0x2000 && code <= 0x200d) ||
    (code >= 0x2010 && code <= 0x201f) ||
    (code >= 0x2032 && code <= 0x2037)
  );
}

/**
 * An agent's answer mentions nobody, whatever the agent was led to write. X also recognizes mentions after a full stop,
 * after `RT` without a space, with a full-width at sign and in addresses; after other ASCII letters it recognizes none,
 * so email addresses stay intact.
 */
function withoutOwnMentions(text: string): string {
  return text
    .replaceAll(/https?:\/\/\S+/gi, (address) => address.replaceAll(/[@＠]/g, '%40'))
    .replaceAll(/((?<!\w)|(?<![\w+~.-])rt)([@＠])(?=\w)/gi, '$1$2\u200b');
}

function cut(text: string, fits: (text: string) => boolean): string[] {
  const parts: string[] = [];
  for (let rest = text.trim(); rest !== '';) {
    const part = beginning(rest, fits);
    parts.push(part.trimEnd());
    rest = rest.slice(part.length).trimStart();
  }
  return parts;
}

/** As much as fits, up to the end of a paragraph, line or word if there is one in its second half. */
function beginning(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  let [low, high] = [1, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  const most = text.slice(0, low);
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = most.lastIndexOf(mark);
    if (at > most.length / 2) return most.slice(0, at);
  }
  // Not inside a surrogate pair.
  return most.length > 1 && /[\uD800-\uDBFF]$/.test(most) ? most.slice(0, -1) : most;
}
