import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { invalid } from './api-error.ts';
import { newId } from './kinds.ts';
import {
  address,
  amount,
  anything,
  count,
  currency,
  flag,
  id,
  listing,
  mergeMetadata,
  metadata,
  word,
} from './params.ts';
import { listOf, route, type Route } from './route.ts';

const recurring = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: count.pipe(z.number().max(1095)).optional(),
  usage_type: z.enum(['licensed', 'metered']).optional(),
  meter: id.optional(),
  trial_period_days: count.optional(),
});
const amounts = {
  currency,
  unit_amount: amount,
  recurring: recurring.optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
};
const productFields = {
  ...anything,
  active: flag.optional(),
  description: word.optional(),
  images: z.array(address).max(8).optional(),
  metadata: metadata.optional(),
  statement_descriptor: z.string().max(22).optional(),
  tax_code: word.optional(),
  unit_label: word.optional(),
  url: address.optional(),
};
const productData = z.strictObject({
  name: word.min(1),
  description: word.optional(),
  metadata: metadata.optional(),
  images: z.array(address).max(8).optional(),
  tax_code: word.optional(),
});
/** As accepted by `prices.create` and, in a checkout line, by `price_data`. */
export const priceData = z.strictObject({
  ...amounts,
  product: id.optional(),
  product_data: productData.optional(),
});
type PriceData = z.output<typeof priceData>;

const priceFields = {
  ...anything,
  active: flag.optional(),
  lookup_key: word.optional(),
  metadata: metadata.optional(),
  nickname: word.optional(),
};
type PriceFields = z.output<z.ZodObject<typeof priceFields>>;
type ProductFields = z.output<z.ZodObject<typeof productFields>> & { name?: string | undefined };

async function createProduct(
  books: Books,
  { expand: _, metadata, ...given }: ProductFields,
): Promise<Stripe.Product> {
  const product: Stripe.Product = {
    id: newId('product'),
    object: 'product',
    active: true,
    created: books.now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, metadata),
    name: '',
    package_dimensions: null,
    shippable: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    updated: books.now,
    url: null,
    ...(given as Partial<Stripe.Product>),
  };
  await books.put(product);
  await books.emit('product.created', product);
  return product;
}

async function requireFreeKey(books: Books, key: string): Promise<void> {
  const { data } = await books.list('price', { lookup_key: key, active: true });
  if (data[0]) throw invalid('lookup_key', `A price (${data[0].id}) already uses that lookup key.`);
}

export async function createPrice(
  books: Books,
  { product, product_data: data, recurring, ...given }: PriceData,
  { expand: _, metadata, ...more }: PriceFields = {},
): Promise<Stripe.Price> {
  if (product !== undefined) await books.get('product', product, 'product');
  if (product === undefined && data === undefined)
    throw invalid('product', 'Missing required param: product.', 'parameter_missing');
  if (more.lookup_key !== undefined) await requireFreeKey(books, more.lookup_key);
  if (recurring?.meter !== undefined) await books.get('billing.meter', recurring.meter, 'recurring[meter]');
  const price: Stripe.Price = {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: books.now,
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: more.lookup_key ?? null,
    metadata: mergeMetadata({}, metadata),
    nickname: more.nickname ?? null,
    product: product ?? (await createProduct(books, data ?? {})).id,
    recurring: recurring ? recurrence(recurring) : null,
    tax_behavior: given.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount) as unknown as Stripe.Decimal,
  };
  if (more.active === false) price.active = false;
  await books.put(price);
  await books.emit('price.created', price);
  return price;
}

function recurrence(given: z.output<typeof recurring>): Stripe.Price.Recurring {
  return {
    interval: given.interval,
    interval_count: given.interval_count ?? 1,
    meter: given.meter ?? null,
    trial_period_days: given.trial_period_days ?? null,
    usage_type: given.usage_type ?? 'licensed',
  };
}

async function updateProduct(
  books: Books,
  {
    expand: _,
    metadata,
    default_price: price,
    ...given
  }: ProductFields & { default_price?: string | undefined },
  productId: string,
): Promise<Stripe.Product> {
  const product = await books.get('product', productId);
  const changes = given as Partial<Stripe.Product>;
  const before = oldValues(product, changes);
  if (price !== undefined) product.default_price = (await books.get('price', price, 'default_price')).id;
  Object.assign(product, changes, {
    metadata: mergeMetadata(product.metadata, metadata),
    updated: books.now,
  });
  await books.put(product);
  await books.emit('product.updated', product, before);
  return product;
}

async function updatePrice(
  books: Books,
  { expand: _, metadata, ...given }: PriceFields,
  priceId: string,
): Promise<Stripe.Price> {
  const price = await books.get('price', priceId);
  const changes = given as Partial<Stripe.Price>;
  const before = oldValues(price, changes);
  Object.assign(price, changes, { metadata: mergeMetadata(price.metadata, metadata) });
  await books.put(price);
  await books.emit('price.updated', price, before);
  return price;
}

export function oldValues<T extends object>(object: T, changes: Partial<T>): Partial<T> {
  return Object.fromEntries(
    Object.keys(changes).map((name) => [name, object[name as keyof T]]),
  ) as Partial<T>;
}

async function deleteProduct(books: Books, productId: string): Promise<object> {
  const product = await books.get('product', productId);
  const { data: prices } = await books.list('price', { product: productId });
  if (prices.length > 0)
    throw invalid('id', 'This product cannot be deleted because it has one or more user-created prices.');
  const deleted = { id: productId, object: 'product', deleted: true } as const;
  await books.put<'product'>(deleted);
  await books.emit('product.deleted', product);
  return deleted;
}

export const catalogRoutes: Route[] = [
  route(
    'POST',
    '/v1/products',
    z.strictObject({
      ...productFields,
      name: word.min(1),
      default_price_data: z.strictObject(amounts).optional(),
    }),
    async (books, { default_price_data: data, ...given }) => {
      const product = await createProduct(books, given);
      if (!data) return product;
      product.default_price = (await createPrice(books, { ...data, product: product.id })).id;
      await books.put(product);
      return product;
    },
  ),
  route(
    'GET',
    '/v1/products',
    z.strictObject({ ...listing, active: flag.optional() }),
    async (books, input) =>
      listOf('/v1/products', await books.list('product', { active: input.active }, input)),
  ),
  route('GET', '/v1/products/:id', z.strictObject(anything), (books, _input, { id }) =>
    books.get('product', id),
  ),
  route(
    'POST',
    '/v1/products/:id',
    z.strictObject({ ...productFields, name: word.min(1).optional(), default_price: id.optional() }),
    (books, input, { id }) => updateProduct(books, input, id),
  ),
  route('DELETE', '/v1/products/:id', z.strictObject({}), (books, _input, { id }) =>
    deleteProduct(books, id),
  ),
  route(
    'POST',
    '/v1/prices',
    z.strictObject({ ...priceFields, ...priceData.shape }),
    (books, { expand, active, lookup_key, metadata, nickname, ...data }) =>
      createPrice(books, data, { expand, active, lookup_key, metadata, nickname }),
  ),
  route(
    'GET',
    '/v1/prices',
    z.strictObject({
      ...listing,
      active: flag.optional(),
      currency: currency.optional(),
      product: id.optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
      // Stripe accepts ten.
      lookup_keys: z.array(word).max(1).optional(),
    }),
    async (books, { active, currency, product, type, lookup_keys: keys, ...page }) =>
      listOf(
        '/v1/prices',
        await books.list('price', { active, currency, product, type, lookup_key: keys?.[0] }, page),
      ),
  ),
  route('GET', '/v1/prices/:id', z.strictObject(anything), (books, _input, { id }) => books.get('price', id)),
  route('POST', '/v1/prices/:id', z.strictObject(priceFields), (books, input, { id }) =>
    updatePrice(books, input, id),
  ),
];
