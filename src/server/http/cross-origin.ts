import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../contract/route.ts';

const ALLOWED_HEADERS = 'authorization, content-type, idempotency-key';
const PREFLIGHT_SECONDS = 600;

/**
 * The calls that pages of other sites may make, with a visitor's token and never with cookies: browsers send none where
 * every origin is allowed. Which sites may is checked when the token is made, and against the token on each call.
 */
function isOpen(route: Pick<Route, 'access' | 'visitors'>): boolean {
  return route.access === 'chat' || route.visitors;
}

export function openToSites(route: Route): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (_request, reply) => {
    if (!isOpen(route)) return;
    reply.header('access-control-allow-origin', '*');
    reply.header('access-control-expose-headers', 'retry-after, x-request-id');
  };
}

/** Answers the preflight that browsers send before a token or JSON goes to another site; other calls get no answer. */
export function answerPreflight(app: FastifyInstance, routes: Route[]): void {
  const open = Map.groupBy(routes.filter(isOpen), ({ path }) => path.replace(/\{(\w+)\}/g, ':$1'));
  for (const [url, calls] of open) {
    const methods = [...new Set(calls.map(({ method }) => method))].join(', ');
    app.options(url, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-origin', '*')
        .header('access-control-allow-methods', methods)
        .header('access-control-allow-headers', ALLOWED_HEADERS)
        .header('access-control-max-age', PREFLIGHT_SECONDS)
        .send(),
    );
  }
}
