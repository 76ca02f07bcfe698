import type { CallOptions } from '../src/contract/client.ts';
import type { Visit } from '../src/contract/visitor.ts';
import { connect, type Product, type TestClient } from './product.ts';

let visits = 0;

/** What a page of this site sends; undefined: no page. */
export function fromSite(site: string | undefined): CallOptions {
  return site === undefined ? {} : { headers: { origin: site } };
}

/** Visits an agent from a separate address. */
export async function visit(
  product: Product,
  chatbotId: string,
  given: { site?: string | undefined; userToken?: string; refreshToken?: string } = {},
): Promise<Visit> {
  const { site, ...rest } = given;
  visits += 1;
  return product
    .as(`visit ${visits}`, 'anonymous')
    .visitor.authenticate({ chatbotId, ...rest }, fromSite(site));
}

/** A client with this token or key; `headers` are sent with every request. */
export function bearing(product: Product, token: string, headers: Record<string, string> = {}): TestClient {
  return connect({
    baseUrl: product.url,
    token: () => token,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } }),
  });
}
