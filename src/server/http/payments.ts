import type { FastifyInstance } from 'fastify';
import { PAYMENT_PAGES_PER_MINUTE_AND_ADDRESS, PAYMENT_WEBHOOK_MAX_BYTES } from '../../contract/limits.ts';
import type { PaymentEvents } from '../payment/events.ts';
import { SAID, styleHash } from '../payment/local/pages/html.ts';
import type { TestPages } from '../payment/local/pages/pages.ts';
import type { DeliverHere } from '../payment/local/deliver.ts';
import { TEST_PAGES_PATH, WEBHOOK_PATH, type Payments } from '../payment/payments.ts';

/** What the payment provider, or the stand-in for it, needs of our HTTP server. */
export async function servePayments(app: FastifyInstance, { pages, events }: Payments): Promise<void> {
  await serveWebhook(app, events);
  if (pages) await servePages(app, pages);
}

/** The stand-in's events come like any other request, but without a connection, since who knows at which address we listen. */
export function deliverTo(app: FastifyInstance): DeliverHere {
  return {
    isReady: () => app.server.listening,
    send: async (payload, headers) =>
      (await app.inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload })).statusCode,
  };
}

/**
 * Where the payment provider tells what has happened. It proves by its signature over the very bytes who sent it, so they
 * are kept as they came. A 200 says that the effect is in the database; anything else makes it come again.
 */
async function serveWebhook(app: FastifyInstance, { receive }: PaymentEvents): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: PAYMENT_WEBHOOK_MAX_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(WEBHOOK_PATH, { schema: { hide: true } }, async (request, reply) => {
      // Several of one header would come joined, and which of them counts would be anybody's guess.
      const signatures = valuesOf('stripe-signature', request.raw.rawHeaders);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const outcome = await receive(body, signatures);
      return reply.header('cache-control', 'no-store').send({ received: true, outcome });
    });
  });
}

/** Names and values of headers take turns in the list, as they came. */
function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

interface OfPage {
  Params: { kind: string; id: string };
  Querystring: Record<string, unknown>;
  Body: string | undefined;
}

/** The pages of the stand-in, under our own origin, so that a person's browser needs no second port. No script runs there. */
async function servePages(app: FastifyInstance, pages: TestPages): Promise<void> {
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );
    scope.route<OfPage>({
      method: ['GET', 'POST'],
      url: `${TEST_PAGES_PATH}/:kind/:id`,
      schema: { hide: true },
      exposeHeadRoute: false,
      config: { rateLimit: { max: PAYMENT_PAGES_PER_MINUTE_AND_ADDRESS, timeWindow: 60_000 } },
      handler: async ({ method, params, query, body }, reply) => {
        const typed = method === 'POST' ? Object.fromEntries(new URLSearchParams(body ?? '')) : undefined;
        const {
          status,
          html,
          location,
          leadsTo = [],
        } = await pages(params.kind, params.id, {
          typed,
          isSaying: SAID in query,
        });
        reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
        if (location !== undefined) return reply.redirect(location, 303);
        // A form's answer may send the browser on, which browsers count as the form's own aim.
        const aims = ["'self'", ...leadsTo].join(' ');
        return reply
          .code(status)
          .header(
            'content-security-policy',
            `default-src 'none'; style-src ${styleHash}; form-action ${aims}; base-uri 'none'; frame-ancestors 'none'`,
          )
          .type('text/html; charset=utf-8')
          .send(html);
      },
    });
  });
}
