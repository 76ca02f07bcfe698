import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CHANNEL_WEBHOOK_MAX_BYTES, CHANNEL_WEBHOOKS_PER_MINUTE_AND_ADDRESS } from '../../contract/limits.ts';

interface OfPlugin {
  Params: { id: string };
}

/**
 * Where the channels' services send what people write. Each proves the sender with its own signature over the exact
 * bytes, so the body reaches the channel unmodified; cookies are ignored. Failures are problem documents as everywhere
 * else.
 */
export async function serveChannels(
  app: FastifyInstance,
  receive: (pluginId: string, request: Request) => Promise<Response>,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: CHANNEL_WEBHOOK_MAX_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.route<OfPlugin>({
      method: ['GET', 'POST'],
      url: '/v1/plugin/:id/webhook',
      schema: { hide: true },
      exposeHeadRoute: false,
      config: { rateLimit: { max: CHANNEL_WEBHOOKS_PER_MINUTE_AND_ADDRESS, timeWindow: 60_000 } },
      handler: async (request, reply) => {
        const response = await receive(request.params.id, webRequest(request));
        const mediaType = response.headers.get('content-type');
        if (mediaType !== null) reply.header('content-type', mediaType);
        return reply
          .code(response.status)
          .header('cache-control', 'no-store')
          .send(Buffer.from(await response.arrayBuffer()));
      },
    });
  });
}

function webRequest({ headers: given, method, url, body }: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) headers.set(name, String(value));
  const sent = method === 'POST' ? { body: new Uint8Array((body as Buffer | undefined) ?? []) } : {};
  // The host can't be trusted, and no channel uses it.
  return new Request(new URL(url, 'http://localhost'), { method, headers, ...sent });
}
