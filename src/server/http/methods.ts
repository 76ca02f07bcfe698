import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../app-error.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What to say where no route is: 405 with the methods that the address has, or that there is no such address. */
    refusalOf: (request: FastifyRequest, reply: FastifyReply) => AppError;
  }
}

/** Remembers the methods of every address whose route is made from now on. */
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
    // A route that has it found nothing there.
    if (methods.size === 0 || methods.has(method)) return notFound();
    reply.header('allow', [...methods].toSorted().join(', '));
    return new AppError('request/method-not-allowed');
  });
}

/** Of a route's address: `:name` is one part of it, `*` the rest. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace('*', '.*');
  return new RegExp(`^${source}$`);
}
