import { load, type CheerioAPI } from 'cheerio/slim';
import { Element } from 'domhandler';
import { Parser } from 'htmlparser2';
import { UnreadableError } from './document.ts';
import { HTML_DEPTH_MAX, HTML_MAX_CHARACTERS, HTML_MAX_ELEMENTS } from './limits.ts';

/**
 * Parses a page into a tree in time linear in its length: the parser puts every element where its tag is and repairs
 * nothing, because browsers' repairs can make a page grow a thousandfold. Errors: `UnreadableError` for a page no
 * reader can handle.
 */
export function htmlTree(html: string): CheerioAPI {
  if (html.length > HTML_MAX_CHARACTERS)
    throw new UnreadableError(
      `This page is longer than ${HTML_MAX_CHARACTERS / 1_000_000} million characters.`,
    );
  measure(html);
  const $ = load(html, { xml: { xmlMode: false } });
  return underOneRoot($);
}

/** Selectors are matched against each top-level node and compared with all others there, so there is only one. */
function underOneRoot($: CheerioAPI): CheerioAPI {
  const [root] = $.root();
  if (!root) return $;
  const page = new Element('parley-page', {}, root.children);
  for (const child of page.children) child.parent = page;
  root.children = [page];
  page.parent = root;
  return $;
}

/** Runs before the tree is built: unlimited nesting or numbers of elements would take unlimited time and memory. */
function measure(html: string): void {
  let depth = 0;
  let elements = 0;
  const parser = new Parser({
    onopentag: () => {
      depth += 1;
      elements += 1;
      if (depth > HTML_DEPTH_MAX || elements > HTML_MAX_ELEMENTS)
        throw new UnreadableError('This page has a structure that cannot be read.');
    },
    onclosetag: () => {
      depth -= 1;
    },
  });
  parser.end(html);
}
