import * as fc from 'fast-check';
import { inputOf } from '../fuzz/arbitraries.ts';
import type { Fixture } from '../fuzz/fixture.ts';
import { Ids, requestOf, routes, type FuzzRequest } from '../fuzz/requests.ts';
import { matrix } from '../access/matrix.ts';
import type { Row } from '../access/expected.ts';
import type { Product } from '../product.ts';

/** How many values a field is offered with before it is left out. */
const OFFERS = 30;

/** What a field that may be left out could say, as its schema has it. */
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
 * The call as the matrix makes it, with each further field that it takes: what a call refuses for its form never gets to the database.
 * What cannot be done twice is asked for as it is.
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
