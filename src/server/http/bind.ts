import '@fastify/multipart';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { isStorableText } from '../../contract/common.ts';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS, KNOWLEDGE_FILE_MAX_BYTES } from '../../contract/limits.ts';
import { pathParameters, type Area, type Contract, type Route } from '../../contract/route.ts';
import { AppError } from '../app-error.ts';
import {
  callerId,
  EventStream,
  FileStream,
  Redirect,
  type Caller,
  type Handler,
  type Handlers,
} from '../call.ts';
import type { Database } from '../db/scope.ts';
import { hashSecret, type Vault } from '../identity/secrets.ts';
import type { Backlog } from '../load/backlog.ts';
import type { Pace } from '../load/pace.ts';
import { contextOf, type ContextOptions } from './context.ts';
import { answerPreflight, openToSites } from './cross-origin.ts';
import { once } from './idempotency.ts';
import { inPages } from './pages.ts';
import { sendEvents } from './sse.ts';

export type AllHandlers<C extends Contract> = { readonly [A in keyof C]: Handlers<C[A]> };

interface BindOptions extends ContextOptions {
  db: Database;
  /** Encrypts the responses kept under an Idempotency-Key, and signs cursors. */
  vault: Vault;
  /** Identifies this process, so that others can see whether its work is still in progress. */
  runner: number;
  /** Notified of every call, so that background work steps back. */
  pace: Pace;
  backlog: Backlog;
  /** The caller, from the bearer token or the `auth-token` cookie. An invalid credential is a 401. */
  identify: (request: FastifyRequest) => Promise<Caller>;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Registers every call of the contract as an HTTP route. The only place where calls meet HTTP. */
export function bindContract<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  handlers: AllHandlers<C>,
  options: BindOptions,
): void {
  app.decorateRequest('caller');
  for (const [area, calls] of Object.entries(contract)) {
    for (const [name, route] of Object.entries(calls)) {
      const handler = (handlers[area] as Handlers<Area>)[name] as Handler<Route>;
      bindRoute(app, `${area}.${name}`, route, handler, options);
    }
  }
  answerPreflight(
    app,
    Object.values(contract).flatMap((calls) => Object.values(calls)),
  );
}

function bindRoute(
  app: FastifyInstance,
  operationId: string,
  route: Route,
  handler: Handler<Route>,
  options: BindOptions,
): void {
  const admit = async (request: FastifyRequest): Promise<void> => {
    options.backlog.requireRoom(route.streams ? (request.params as { id?: string }).id : undefined);
    options.pace.asked();
    request.caller = await options.identify(request);
    requireAccess(route, request.caller);
  };
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    // A HEAD route counts its own requests, which would double a limit; and a stream has no end to wait for.
    exposeHeadRoute: !route.limit && !route.streams,
    schema: schemaOf(operationId, route),
    ...(route.bodyMaxBytes === undefined ? {} : { bodyLimit: route.bodyMaxBytes }),
    config: {
      rateLimit: route.limit ? { max: route.limit.requests, timeWindow: route.limit.seconds * 1000 } : false,
    },
    onRequest: openToSites(route),
    // Before the input is validated: an unauthenticated caller learns nothing about what a private call takes, and
    // can't send anything large.
    ...(route.bodyMaxBytes === undefined
      ? { preValidation: [admit, fillBody] }
      : { preParsing: admit, preValidation: fillBody }),
    handler: async (request, reply) => {
      const { caller } = request;
      const input = await inputOf(route, request);
      const key = idempotencyKeyOf(request, route, caller);
      const context = contextOf(request, reply, options);
      context.writeKey = key && hashSecret(`${key.userId} ${key.key}`);
      const work = () =>
        inPages(options.vault, { operationId, route, caller, input }, (asked) =>
          handler(asked, caller, context),
        );
      // A stream can't be replayed: a streaming call handles the key itself.
      const isKept = key && !(route.streams && context.wantsStream);
      const result = isKept
        ? await once(options, { ...key, operationId, ...(await claimOf(route, input)) }, work)
        : await work();
      if (result instanceof EventStream) return sendEvents(reply, result);
      if (result instanceof FileStream) return sendFile(request, reply, result);
      if (result instanceof Redirect) return sendOn(request, reply, result);
      return sendJson(reply, result);
    },
  });
}

/** A missing body is an empty object, for calls that need no fields; `null` is not. */
async function fillBody(request: FastifyRequest): Promise<void> {
  if (request.body === undefined) request.body = {};
}

/** The key of a write by a signed-in caller. Errors: 400. */
function idempotencyKeyOf(
  request: FastifyRequest,
  route: Route,
  caller: Caller,
): { userId: string; key: string } | undefined {
  const key = request.headers['idempotency-key'];
  if (
    key === undefined ||
    route.method !== 'POST' ||
    route.carrier === 'query' ||
    caller.kind === 'anonymous'
  )
    return undefined;
  if (
    typeof key !== 'string' ||
    key === '' ||
    key.length > IDEMPOTENCY_KEY_MAX_CHARACTERS ||
    !isStorableText(key)
  ) {
    throw new AppError(
      'request/invalid',
      `An Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX_CHARACTERS} characters.`,
    );
  }
  return { userId: callerId(caller), key };
}

/** Caches along the way never store private responses. */
function sendJson(reply: FastifyReply, result: unknown): FastifyReply {
  return reply.header('cache-control', 'no-store').send(result);
}

/** Sent as a download, never rendered as a page; for a HEAD request nothing is generated. */
function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, mediaType, bytes }: FileStream,
): FastifyReply {
  if (request.method === 'HEAD') bytes.destroy();
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('x-content-type-options', 'nosniff')
    .type(mediaType)
    .send(bytes);
}

/** Redirects a browser that opens the address, with nothing cached; other callers get the address as JSON. */
function sendOn(request: FastifyRequest, reply: FastifyReply, { url }: Redirect): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) return sendJson(reply, { url });
  // The URL that led here holds a secret; the next page must not learn it.
  return reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .redirect(url, 302);
}

/** Errors: 401 and 403 if this kind of caller can't make the call at all. */
export function requireAccess(route: Pick<Route, 'access' | 'visitors'>, caller: Caller): void {
  if (caller.kind === 'visitor') {
    if (route.access === 'chat' || route.visitors) return;
    throw new AppError('auth/forbidden', 'A visitor can only chat with the agent.');
  }
  if (route.access === 'public') return;
  if (caller.kind === 'anonymous') throw new AppError('auth/unauthenticated');
  if (caller.kind === 'key') {
    if (route.access !== 'member') throw new AppError('auth/forbidden', 'An API key cannot do this.');
    return;
  }
  if (route.access === 'member' && !caller.isMember) throw new AppError('auth/not-a-member');
}

/** Splits the flat input schema into the parts Fastify validates: path, query and body, each strict. */
function schemaOf(operationId: string, route: Route) {
  const input = route.input as unknown as z.ZodObject;
  const inPath = pathParameters(route.path);
  const params = pick(input, (key) => inPath.includes(key));
  const rest = pick(input, (key) => !inPath.includes(key) && key !== 'media');
  const carried = route.carrier === 'body' ? { body: rest } : { querystring: rest };
  return {
    operationId,
    summary: route.summary,
    tags: [operationId.split('.')[0] ?? ''],
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(inPath.length > 0 ? { params } : {}),
    ...carried,
    ...(route.carrier === 'multipart' ? { consumes: ['multipart/form-data'] } : {}),
    ...(route.produces === undefined ? {} : { produces: [route.produces] }),
    response: { 200: route.output },
  };
}

function pick(schema: z.ZodObject, keep: (key: string) => boolean): z.ZodObject {
  return z.strictObject(Object.fromEntries(Object.entries(schema.shape).filter(([key]) => keep(key))));
}

async function inputOf(route: Route, request: FastifyRequest): Promise<never> {
  const carried = route.carrier === 'body' ? request.body : request.query;
  const input = { ...(carried as object), ...(request.params as object) };
  if (route.carrier === 'multipart') return { ...input, media: await mediaOf(request, route) } as never;
  return input as never;
}

/** How two requests with the same key are compared; files by content. */
async function claimOf({ streams }: Route, input: object) {
  return { input: await comparable(input), isFoundAgain: streams };
}

async function comparable(input: object): Promise<object> {
  const { media, ...rest } = input as { media?: unknown };
  if (!(media instanceof File)) return input;
  const content = createHash('sha256').update(new Uint8Array(await media.arrayBuffer()));
  return { ...rest, media: content.digest('base64url') };
}

/** The single file of a multipart request, field `media`; anything else in the form is rejected. */
async function mediaOf(request: FastifyRequest, route: Route): Promise<File> {
  if (!request.isMultipart())
    throw new AppError('request/unsupported-media-type', 'Send the file as multipart/form-data.');
  const fileSize = route.mediaMaxBytes ?? KNOWLEDGE_FILE_MAX_BYTES;
  let media: File | undefined;
  try {
    // Reads to the end: anything after the file is rejected like anything before it.
    for await (const part of request.parts({ limits: { files: 1, fields: 0, fileSize } })) {
      if (part.type !== 'file' || part.fieldname !== 'media') throw badForm('A file is required.');
      const data = await part.toBuffer();
      media = new File([new Uint8Array(data)], part.filename, { type: part.mimetype });
    }
  } catch (error) {
    throw brokenForm(error);
  }
  if (!media) throw badForm('A file is required.');
  return media;
}

function badForm(message: string): AppError {
  return new AppError('request/invalid', 'Send one file in the field media, and nothing else.', {
    errors: [{ path: 'media', message }],
  });
}

/** Errors for a form that contains more than a file. */
const LIMITS = ['FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT'];

/** A truncated or malformed form is the sender's fault; the parser reports it with errors that have no status. */
function brokenForm(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof Error && 'code' in error && LIMITS.includes(String(error.code)))
    return badForm('Send one file, and nothing else.');
  if (error instanceof Error && 'statusCode' in error) return error;
  return new AppError('request/invalid', 'The form is incomplete.', { cause: error });
}
