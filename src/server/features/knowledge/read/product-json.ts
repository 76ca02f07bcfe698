import type { FoundProduct } from './product-fields.ts';

type Thing = Record<string, unknown>;

const DEPTH_MAX = 4;
/** Where a page about a product refers to it. */
const ways = ['@graph', 'mainEntity', 'mainEntityOfPage', 'hasVariant', 'itemOffered'];

/** The products (schema.org) described by a piece of JSON-LD. None if it isn't valid JSON. */
export function productsInJson(json: string): FoundProduct[] {
  try {
    return thingsIn(JSON.parse(json.replace(/^\s*<!--|-->\s*$/g, ''))).map(productOf);
  } catch {
    return [];
  }
}

/** A group of variants comes before its variants, which count as products only if it has no name. */
function thingsIn(value: unknown, depth = 0): Thing[] {
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((part) => thingsIn(part, depth + 1));
  if (!isThing(value)) return [];
  const isProduct = listOf(value['@type']).some(
    (type) =>
      typeof type === 'string' &&
      /(^|[/:#])(Product|ProductGroup|IndividualProduct|ProductModel)$/.test(type),
  );
  if (isProduct && textOf(value['name'])) return [value];
  return ways.flatMap((way) => thingsIn(value[way], depth + 1));
}

function productOf(thing: Thing): FoundProduct {
  const variant = listOf(thing['hasVariant']).find(isThing);
  const offer = offerOf(thing) ?? (variant && offerOf(variant));
  return {
    name: textOf(thing['name']),
    description: textOf(thing['description']),
    image: addressOf(thing['image']) ?? addressOf(variant?.['image']),
    url: addressOf(thing['url']) ?? addressOf(offer?.thing['url']),
    price: offer?.price,
    currency: offer?.currency,
  };
}

interface Offer {
  thing: Thing;
  price: string;
  currency: string | undefined;
}

/** The first one with a price: its own, the lowest of several, or in its specification. */
function offerOf(thing: Thing): Offer | undefined {
  const offers = listOf(thing['offers']).filter(isThing);
  const inner = offers.flatMap((offer) => listOf(offer['offers']).filter(isThing));
  for (const offer of [...offers, ...inner]) {
    const specifications = listOf(offer['priceSpecification']).filter(isThing);
    for (const part of [offer, ...specifications]) {
      const price = numberOf(part['price']) ?? numberOf(part['lowPrice']);
      const currency = textOf(part['priceCurrency']) ?? textOf(offer['priceCurrency']);
      if (price !== undefined) return { thing: offer, price, currency };
    }
  }
  return undefined;
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** For a text in several languages, the first. */
function textOf(value: unknown): string | undefined {
  const [first] = listOf(value);
  const text = isThing(first) ? first['@value'] : first;
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

/** JSON can't express `19.90`: a number with a fraction is written with two decimals, like prices. */
function numberOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value))
    return Number.isInteger(value) ? String(value) : value.toFixed(2);
  return textOf(value);
}

/** An address or an object that has one, such as an ImageObject. */
function addressOf(value: unknown): string | undefined {
  const [first] = listOf(value);
  if (!isThing(first)) return textOf(first);
  return textOf(first['url']) ?? textOf(first['contentUrl']) ?? textOf(first['@id']);
}
