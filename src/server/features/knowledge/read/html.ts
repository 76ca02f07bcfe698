import { isTag, isText, type AnyNode } from 'domhandler';
import { UnreadableError, type Document } from './document.ts';
import { baseOf, linksOf, type PageOrigin } from './html-links.ts';
import { productOf, withPrice } from './html-product.ts';
import { htmlTree } from './html-tree.ts';
import { addressInFile, addressOnPage } from './link-address.ts';
import { markdownOf } from './markdown.ts';

/** Never part of a page's content; the pronunciation of an East Asian word would split it. */
const furniture =
  'rt, rp, script, style, noscript, template, iframe, object, svg, canvas, datalist, dialog:not([open]), [hidden], [aria-hidden=true]';
/** Surrounds a page's content, unless it contains nearly all of it. */
const surroundings =
  'nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=search]';
const mainParts = ['main', '[role=main]', 'article', '#content', '#main-content', '.main-content'];

/** A part is taken for the main content only if it contains at least this share of the whole. */
const LEAST_SHARE = 0.5;

/**
 * A page's readable text with its headings, and forms as displayed; menus, headers and footers are left out if most of
 * it remains.
 */
export function readHtml(html: string, from: PageOrigin = {}): Document {
  const $ = htmlTree(html);
  const title = clean($('title').not('svg title').first().text()) || clean($('h1').first().text());
  const skipped = new Set<AnyNode>($(furniture).toArray());
  const lengths = lengthsOf($.root()[0], skipped);
  const length = (node: AnyNode | undefined) => (node && lengths.get(node)) ?? 0;
  const body: AnyNode | undefined = $('body')[0] ?? $.root()[0];
  const least = length(body) * LEAST_SHARE;
  const part = mainParts
    .map((selector) => $(selector).toArray())
    .find((found) => found.length === 1 && length(found[0]) >= least)?.[0];
  for (const element of $(surroundings).toArray())
    if (part ? element !== part : length(element) < least) skipped.add(element);
  const text = markdownOf(
    [part ?? body].filter((node) => node !== undefined),
    skipped,
    addressOnPage(baseOf($, from.url)),
  );
  if (text === '')
    throw new UnreadableError('This page has no text. Pages built by scripts in the browser cannot be read.');
  const product = productOf($, from.url);
  return {
    title: title || null,
    text: withPrice(text, product, $('html').attr('lang')),
    ...linksOf($, from),
    ...product,
  };
}

/** All text of a book's chapter, in which headers and asides (notes) are content; empty if it is only a picture. */
export function readChapter(html: string): string {
  const $ = htmlTree(html);
  return markdownOf($.root().toArray(), new Set<AnyNode>($(furniture).toArray()), addressInFile);
}

/** The number of characters in each element, counted once for all of them; white space doesn't count. */
function lengthsOf(root: AnyNode | undefined, skipped: ReadonlySet<AnyNode>): Map<AnyNode, number> {
  const lengths = new Map<AnyNode, number>();
  const measure = (node: AnyNode): number => {
    if (skipped.has(node)) return 0;
    if (isText(node)) return node.data.replace(/\s+/g, '').length;
    if (!('children' in node)) return 0;
    const length = node.children.reduce((sum, child) => sum + measure(child), 0);
    if (isTag(node) || node === root) lengths.set(node, length);
    return length;
  };
  if (root) measure(root);
  return lengths;
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
