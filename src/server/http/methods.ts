import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../app-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The error if no route matches: 405 with the methods the address has, or that the address does not exist. */
    refusalOf: (request: FastifyRequest, reply: FastifyReply) => AppError;
  }
}

/** Records the methods of every route registered from now on. */
export function rememberMethods(app: FastifyInstance): void {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) entry.methods.add(each);
    known.set(url, entry);
  });
  app.decorate('refusalOf', ({ url, method }, reply) => {
    const [address = ''] = url.split('?', 1);
    const methods = new Set(
      known.values().flatMap((each) => (each.pattern.test(address) ? each.methods : [])),
    );
    // A route with this method exists and found nothing.
    if (methods.size === 0 || methods.has(method)) return notFound();
    reply.header('allow', [...methods].toSorted().join(', '));
    return new AppError('request/method-not-allowed');
  });
}

/** For a route's URL: `:name` matches one segment, `*` the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace('*', '.*');
  return new RegExp(`^${source}$`);
}
