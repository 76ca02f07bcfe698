import type { Cheerio, CheerioAPI } from 'cheerio/slim';
import type { Element } from 'domhandler';
import type { ProductCard } from '../../../../contract/source.ts';
import { isOfSite, normalizeAddress } from '../site/address.ts';
import type { Document } from './document.ts';
import { productsInJson } from './product-json.ts';
import { currencyOf, plain, priceOf, type FoundProduct } from './product-fields.ts';

/**
 * The item a page sells, from its machine-readable description: JSON-LD, or else microdata, or else the tags for social
 * networks. Fields missing in the first may be filled in by the next.
 */
export function productOf($: CheerioAPI, pageUrl: string | undefined): Pick<Document, 'card'> {
  const tags = productInTags($);
  const found = inJson($, pageUrl) ?? inMicrodata($) ?? (tags.isProduct ? tags : undefined);
  const name = plain(found?.name ?? tags.name, 300);
  if (!found || name === null) return {};
  return { card: cardOf({ ...found, name }, tags, pageUrl) };
}

function cardOf(found: FoundProduct & { name: string }, tags: FoundProduct, pageUrl?: string): ProductCard {
  const own = normalizeAddress(found.url ?? tags.url ?? '', pageUrl);
  const picture = found.image ?? tags.image;
  const image = picture ? URL.parse(picture, pageUrl) : null;
  const price = priceOf(found.price) ?? priceOf(tags.price);
  return {
    name: found.name,
    description: plain(found.description ?? tags.description, 1000),
    price,
    currency: price === null ? null : (currencyOf(found.currency) ?? currencyOf(tags.currency)),
    url: own !== undefined && pageUrl !== undefined && isOfSite(own, pageUrl) ? own : (pageUrl ?? null),
    image: image?.protocol === 'https:' || image?.protocol === 'http:' ? image.href : null,
  };
}

const number = /\d+(?:[.,'’]\d+)*/g;

/**
 * A price that appears only in machine-readable form is appended to the text, so that offsets into it stay valid. In
 * English by default, in the words people ask with, so that it is found.
 */
export function withPrice(text: string, { card }: Pick<Document, 'card'>, language = 'en'): string {
  if (!card?.price) return text;
  const said = new Set(text.match(number)?.map(wholeOf));
  if (said.has(wholeOf(card.price))) return text;
  const amount = [card.price, card.currency].filter(Boolean).join(' ');
  const line = /^en\b/i.test(language) ? `Price: ${card.name} costs ${amount}.` : `${card.name}: ${amount}`;
  return `${text}\n\n${line}`;
}

/** `1.299,00` and `1299` are the same number. */
function wholeOf(price: string): string {
  return price.replace(/[.,]\d{2}$/, '').replace(/\D/g, '');
}

const SCRIPTS_MAX = 20;
const SCRIPT_MAX_CHARACTERS = 300_000;

/** Of several products, the one the page is about: the one with the page's address, or else the first. */
function inJson($: CheerioAPI, pageUrl: string | undefined): FoundProduct | undefined {
  const products = $('script[type="application/ld+json" i]')
    .toArray()
    .slice(0, SCRIPTS_MAX)
    .map((element) => $(element).text())
    .filter((text) => text.length <= SCRIPT_MAX_CHARACTERS)
    .flatMap((text) => productsInJson(text));
  const page = pageUrl && normalizeAddress(pageUrl);
  return products.find(({ url }) => url && normalizeAddress(url, pageUrl) === page) ?? products[0];
}

function inMicrodata($: CheerioAPI): FoundProduct | undefined {
  const product = $('[itemscope][itemtype*="schema.org/Product" i]').first();
  if (product.length === 0) return undefined;
  const own = (name: string, scope: Cheerio<Element> = product) => propertyOf($, scope, name);
  const offer = product.find('[itemprop~=offers]').first();
  const priced = offer.length > 0 ? offer : product;
  const inOffer = (name: string) => valueOf(priced.find(`[itemprop~=${name}]`).first());
  return {
    name: own('name'),
    description: own('description'),
    image: own('image'),
    url: own('url'),
    price: inOffer('price') ?? inOffer('lowPrice'),
    currency: inOffer('priceCurrency'),
  };
}

/** Of the item itself: the name of a brand or review belongs to its own scope. */
function propertyOf($: CheerioAPI, scope: Cheerio<Element>, name: string): string | undefined {
  const own = scope
    .find(`[itemprop~=${name}]`)
    .toArray()
    .find((element) => $(element).parent().closest('[itemscope]')[0] === scope[0]);
  return own ? valueOf($(own)) : undefined;
}

function valueOf(element: Cheerio<Element>): string | undefined {
  const given = element.attr('content') ?? element.attr('src') ?? element.attr('href') ?? element.text();
  return given.trim() === '' ? undefined : given;
}

function productInTags($: CheerioAPI): FoundProduct & { isProduct: boolean } {
  const tags = new Map<string, string>();
  for (const { attribs } of $('meta[content]').toArray()) {
    const name = (attribs['property'] ?? attribs['name'] ?? '').trim().toLowerCase();
    if (!tags.has(name)) tags.set(name, attribs['content'] ?? '');
  }
  const first = (...names: string[]) => names.map((name) => tags.get(name)).find(Boolean);
  const price = first('product:price:amount', 'product:sale_price:amount', 'og:price:amount');
  return {
    isProduct: price !== undefined || /^(og:)?product/i.test(first('og:type') ?? ''),
    name: first('og:title', 'twitter:title'),
    description: first('og:description', 'description', 'twitter:description'),
    image: first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image'),
    url: first('og:url'),
    price,
    currency: first('product:price:currency', 'product:sale_price:currency', 'og:price:currency'),
  };
}
