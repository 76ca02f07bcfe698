import type { FastifyInstance } from 'fastify';
import { PAYMENT_PAGES_PER_MINUTE_AND_ADDRESS, PAYMENT_WEBHOOK_MAX_BYTES } from '../../contract/limits.ts';
import type { PaymentEvents } from '../payment/events.ts';
import { SAID, styleHash } from '../payment/local/pages/html.ts';
import type { TestPages } from '../payment/local/pages/pages.ts';
import type { DeliverHere } from '../payment/local/deliver.ts';
import { TEST_PAGES_PATH, WEBHOOK_PATH, type Payments } from '../payment/payments.ts';

/** What the payment provider, or its stand-in, needs from our HTTP server. */
export async function servePayments(app: FastifyInstance, { pages, events }: Payments): Promise<void> {
  await serveWebhook(app, events);
  if (pages) await servePages(app, pages);
}

/** The stand-in's events arrive like any other request, but without a connection, since our listening address is unknown. */
export function deliverTo(app: FastifyInstance): DeliverHere {
  return {
    isReady: () => app.server.listening,
    send: async (payload, headers) =>
      (await app.inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload })).statusCode,
  };
}

/**
 * Where the payment provider reports events. Its signature over the exact bytes proves the sender, so they are kept
 * unmodified. A 200 means that the effect is in the database; anything else makes it resend.
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
      // Repeated headers would be joined, and it would be unclear which one counts.
      const signatures = valuesOf('stripe-signature', request.raw.rawHeaders);
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const outcome = await receive(body, signatures);
      return reply.header('cache-control', 'no-store').send({ received: true, outcome });
    });
  });
}

/** The list alternates between header names and values, as received. */
function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

interface OfPage {
  Params: { kind: string; id: string };
  Querystring: Record<string, unknown>;
  Body: string | undefined;
}

/** The stand-in's pages under our own origin, so that a browser needs no second port. No script runs there. */
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
        // A form's response may redirect, which browsers treat as a target of the form.
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
