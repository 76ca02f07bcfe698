import { isTag, isText, type AnyNode } from 'domhandler';
import { UnreadableError, type Document } from './document.ts';
import { linksOf, type PageOrigin } from './html-links.ts';
import { productOf, withPrice } from './html-product.ts';
import { htmlTree } from './html-tree.ts';
import { markdownOf } from './markdown.ts';

/** Never part of what a page says; how an East Asian word is pronounced would part it. */
const furniture =
  'rt, rp, script, style, noscript, template, iframe, object, svg, canvas, datalist, dialog:not([open]), [hidden], [aria-hidden=true]';
/** Around what a page says, unless it holds nearly everything. */
const surroundings =
  'nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=search]';
const mainParts = ['main', '[role=main]', 'article', '#content', '#main-content', '.main-content'];

/** A part is taken for the page's own text only when it holds at least this share of the whole. */
const LEAST_SHARE = 0.5;

/** The readable text of a page with its headings, forms as they are seen; menus, headers and footers left out where that leaves the most of it. */
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

/** How many characters each element says, counted once for all of them; white space says nothing. */
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
