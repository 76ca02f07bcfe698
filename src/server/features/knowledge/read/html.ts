import { load, type CheerioAPI } from 'cheerio';
import { UnreadableError, type Document } from './document.ts';
import { toMarkdown } from './markdown.ts';

/** Never part of what a page says. */
const furniture =
  'script, style, noscript, template, iframe, object, svg, canvas, form, button, dialog, [hidden], [aria-hidden=true]';
/** Around what a page says, unless it holds nearly everything. */
const surroundings =
  'nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=complementary], [role=search]';
const mainParts = ['main', '[role=main]', 'article', '#content', '#main-content', '.main-content'];

/** A part is taken for the page's own text only when it holds at least this share of the whole. */
const LEAST_SHARE = 0.5;

/** Real pages nest some dozens of elements; thousands are there to break whoever reads them. */
const DEPTH_MAX = 500;
/** Elements that need no end tag, which would seem to nest for ever. */
const endless = new Set(
  'area base br col embed hr img input link meta source track wbr p li dt dd td th tr thead tbody tfoot option optgroup colgroup rb rt rp'.split(
    ' ',
  ),
);

/** The readable text of a page with its headings; menus, headers and footers left out where that leaves the most of it. */
export function readHtml(html: string): Document {
  if (isTooDeep(html)) throw new UnreadableError('This page is built in a way that cannot be read.');
  const $ = load(html);
  const title = clean($('title').first().text()) || clean($('h1').first().text());
  $(furniture).remove();
  const whole = lengthOf($, 'body');
  const part = mainParts.find(
    (selector) => $(selector).length === 1 && lengthOf($, selector) >= whole * LEAST_SHARE,
  );
  if (part) $(part).find(surroundings).remove();
  else removeSurroundings($, whole);
  const text = toMarkdown($(part ?? 'body').html() ?? '');
  if (text === '')
    throw new UnreadableError(
      'This page holds no text. Pages that are made by scripts in the browser cannot be read.',
    );
  return { title: title || null, text };
}

/** By its tags alone and before it is parsed: parsing what is nested without end takes time without end. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    if (endless.has(name.toLowerCase())) continue;
    depth = Math.max(0, depth + (slash ? -1 : 1));
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

function removeSurroundings($: CheerioAPI, whole: number): void {
  $(surroundings).each((_index, element) => {
    if (clean($(element).text()).length < whole * LEAST_SHARE) $(element).remove();
  });
}

function lengthOf($: CheerioAPI, selector: string): number {
  return clean($(selector).text()).length;
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
