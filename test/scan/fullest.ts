import * as fc from 'fast-check';
import { inputOf } from '../fuzz/arbitraries.ts';
import type { Fixture } from '../fuzz/fixture.ts';
import { Ids, requestOf, routes, type FuzzRequest } from '../fuzz/requests.ts';
import { matrix } from '../access/matrix.ts';
import type { Row } from '../access/expected.ts';
import type { Product } from '../product.ts';

/** How many values to offer for a field before leaving it out. */
const OFFERS = 30;

/** Possible values for an optional field, according to its schema. */
function offersOf(call: string): Map<string, unknown[]> {
  const offers = new Map<string, unknown[]>();
  const route = routes.get(call);
  if (!route) return offers;
  for (const input of fc.sample(inputOf(route), { numRuns: OFFERS, seed: 5 }))
    for (const [field, value] of Object.entries(input))
      offers.set(field, [...(offers.get(field) ?? []), value]);
  return offers;
}

/**
 * The matrix's call with every optional field it takes: a call rejected for its form never reaches the database. Calls
 * that can't be repeated are used as they are.
 */
export async function fullestRequest(product: Product, fixture: Fixture, call: string): Promise<FuzzRequest> {
  const { media: _media, ...usual } =
    (matrix as Record<string, Row>)[call]?.input(fixture.world, 'owner') ?? {};
  const request = (input: Record<string, unknown> | null) =>
    requestOf({ call, caller: 'owner', input, changes: [], form: null }, fixture, new Ids(fixture));
  const statusOf = async (input: Record<string, unknown>) =>
    (await product.app.http.inject(await request(input))).statusCode;
  if (
    routes.get(call)?.carrier === 'multipart' ||
    (await statusOf(usual)) !== 200 ||
    (await statusOf(usual)) !== 200
  )
    return request(null);
  let fullest: Record<string, unknown> = usual;
  for (const [field, values] of offersOf(call)) {
    if (field in fullest) continue;
    for (const value of values) {
      const fuller = { ...fullest, [field]: value };
      if ((await statusOf(fuller)) !== 200) continue;
      fullest = fuller;
      break;
    }
  }
  return request(fullest);
}
