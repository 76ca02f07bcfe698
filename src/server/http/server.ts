import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { JSON_BODY_MAX_BYTES, JSON_MAX_DEPTH } from '../../contract/limits.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import { rememberMethods } from './methods.ts';
import { sendProblem } from './problems.ts';
import { trustedProxies } from './proxies.ts';
import { refuseCrossSite } from './same-site.ts';
import { securityHeaders } from './security-headers.ts';
import { BODY_PACE, cutSlowBodies, type BodyPace } from './slow-bodies.ts';
import { cutSlowReaders, READER_MS } from './slow-readers.ts';
import { refuseUnread } from './unread.ts';

const HEAD_MS = 30_000;
const HEADS_LOOKED_AT_MS = 5000;

const newRequestId = (): string => `req_${randomUUID()}`;

/** Fastify with everything that applies to every request, and no routes yet. */
export async function createHttpServer(
  config: Config,
  log: Log,
  bodyPace: BodyPace = BODY_PACE,
  readerMs: number = READER_MS,
): Promise<FastifyInstance> {
  const headers = securityHeaders(config);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_MAX_BYTES,
    trustProxy: config.trustedProxies.length > 0 ? trustedProxies(config.trustedProxies) : false,
    genReqId: newRequestId,
    // For the head only; a body has as long as it makes progress, see `slow-bodies.ts`.
    http: { headersTimeout: HEAD_MS, connectionsCheckingInterval: HEADS_LOOKED_AT_MS },
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    // As long as a request's head can be: a value too long for a call is rejected by its schema, in our own words.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: refuseAddress(headers),
    clientErrorHandler: refuseUnread(headers, newRequestId),
  });
  cutSlowBodies(app.server, bodyPace);
  cutSlowReaders(app.server, readerMs);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(sendProblem);
  rememberMethods(app);
  await app.register(cookie);
  await app.register(multipart);
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] });
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, context) =>
      new AppError('request/rate-limited', undefined, { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'x-request-id': request.id });
    refuseCrossSite(request);
  });
  parseJsonStrictly(app);
  return app;
}

/** An unparsable address reaches no route and no hook: this sends what they send for all others. */
function refuseAddress(headers: Record<string, string>) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...headers, 'x-request-id': request.id });
    sendProblem(error, request, reply);
  };
}

/** Accepts JSON in UTF-8, without `__proto__` and without nesting so deep that parsing would block the process. */
function parseJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = utf8Of(body as Buffer);
    if (text === undefined) return done(new AppError('request/invalid', 'The body is not UTF-8.'));
    if (text === '') return done(null, undefined);
    if (isTooDeep(text)) return done(new AppError('request/invalid', 'The JSON is nested too deeply.'));
    return parse(request, text, (error, value) => (error ? done(notJson()) : done(null, value)));
  });
}

function notJson(): AppError {
  return new AppError(
    'request/invalid',
    'The body is not valid JSON, or has a field that is never accepted.',
  );
}

/** Undefined for another character set: decoded as UTF-8, its letters would be lost silently. */
function utf8Of(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > JSON_MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}
