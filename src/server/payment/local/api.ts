import { createHash, timingSafeEqual } from 'node:crypto';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import Stripe from 'stripe';
import type { Log } from '../../log.ts';
import { ApiError } from './api-error.ts';
import type { Books } from './books.ts';
import { expand } from './expand.ts';
import { readForm } from './form.ts';
import { word } from './kinds.ts';
import type { Ledger } from './ledger.ts';
import { readParams } from './params.ts';
import type { PathIds, Route } from './route.ts';

interface Answer {
  status: number;
  body: object;
  isReplayed?: boolean;
}

interface Settings {
  ledger: Ledger;
  routes: Route[];
  /** The only key accepted. */
  key: string;
  log: Log;
}

/** Stripe's API over HTTP. Who can reach it depends on where it listens; here that is this machine only. */
export function createApi({ ledger, routes, key, log }: Settings): FastifyInstance {
  const api = fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 512 },
  });
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, body),
  );
  api.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', `req_${word().slice(0, 14)}`).header('stripe-version', Stripe.API_VERSION);
    checkKey(request, key);
    checkVersion(request.headers['stripe-version']);
  });
  api.setNotFoundHandler(({ method, url }, reply) => {
    const error = new ApiError(
      404,
      'invalid_request_error',
      `Unrecognized request URL (${method}: ${url.split('?')[0]}).`,
    );
    return reply.code(404).send(error.body);
  });
  api.setErrorHandler((error, _request, reply) => {
    if (error instanceof ApiError) return reply.code(error.status).send(error.body);
    const status = statusOf(error as { statusCode?: number; code?: string });
    if (status >= 500) log.error({ err: error }, 'the payment stand-in failed');
    const words = status >= 500 ? 'An unknown error occurred.' : 'The request could not be read.';
    return reply
      .code(status)
      .send(new ApiError(status, status >= 500 ? 'api_error' : 'invalid_request_error', words).body);
  });
  for (const each of routes) {
    api.route<{ Params: PathIds; Body: string | undefined }>({
      method: each.method,
      url: each.path,
      handler: async (request, reply) => {
        const { status, body, isReplayed } = await answer(ledger, each, request);
        if (isReplayed) reply.header('idempotent-replayed', 'true');
        return reply.code(status).type('application/json').send(JSON.stringify(body));
      },
    });
  }
  return api;
}

/** PostgreSQL's class 22: the input can't be text or a number there. */
function statusOf({ statusCode, code }: { statusCode?: number; code?: string }): number {
  return code?.startsWith('22') ? 400 : (statusCode ?? 500);
}

function checkKey({ headers: { authorization = '' } }: FastifyRequest, key: string): void {
  const [scheme = '', value = ''] = authorization.split(' ');
  const given = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  if (!given) throw unauthorized('You did not provide an API key.');
  if (/^[sr]k_live_/.test(given))
    throw unauthorized('Live keys are refused here: this is a stand-in, no money moves.');
  const isRight = timingSafeEqual(digest(given), digest(key));
  if (!isRight) throw unauthorized('Invalid API Key provided.');
}

function unauthorized(message: string): ApiError {
  return new ApiError(401, 'invalid_request_error', message);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function checkVersion(given: string | string[] | undefined): void {
  if (given === undefined || given === Stripe.API_VERSION) return;
  throw new ApiError(400, 'invalid_request_error', `This stand-in speaks version ${Stripe.API_VERSION}.`, {
    code: 'invalid_api_version',
  });
}

type Asked = FastifyRequest<{ Params: PathIds; Body: string | undefined }>;

async function answer(ledger: Ledger, route: Route, request: Asked): Promise<Answer> {
  const query = request.url.split('?')[1] ?? '';
  const text = [query, request.body ?? ''].filter(Boolean).join('&');
  const input = readParams(route.input, readForm(text)) as { expand?: string[] };
  const account = await accountIn(ledger, request);
  const run = async (books: Books): Promise<object> =>
    expand(books, await route.handle(books, input as never, request.params), input.expand ?? []);
  if (route.method === 'GET') return { status: 200, body: await ledger.read(account, run) };
  return ledger.write(account, async (books) => {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string' || route.method !== 'POST') return attempt(books, run, { isThrown: true });
    return once(books, { key, hash: digest(`${request.url} ${text}`).toString('hex') }, () =>
      attempt(books, run, { isThrown: false }),
    );
  });
}

/** The account a platform's request acts for. */
async function accountIn(ledger: Ledger, request: Asked): Promise<string> {
  const given = request.headers['stripe-account'];
  if (typeof given !== 'string') return '';
  const known = await ledger.read('', (books) => books.find('account', given));
  if (known) return given;
  throw new ApiError(
    403,
    'invalid_request_error',
    `The provided key does not have access to account '${given}' (or that account does not exist).`,
    { code: 'account_invalid' },
  );
}

/**
 * A refusal rolls back what was written, except for an attempted payment; if the request may be repeated, the refusal
 * is stored as its answer.
 */
async function attempt(
  books: Books,
  run: (books: Books) => Promise<object>,
  { isThrown }: { isThrown: boolean },
): Promise<Answer> {
  await books.client.query('savepoint attempt');
  try {
    return { status: 200, body: await run(books) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!error.more.keeps) await books.client.query('rollback to savepoint attempt');
    if (isThrown && !error.more.keeps) throw error;
    return { status: error.status, body: error.body };
  }
}

const IDEMPOTENCY_KEY_MAX_CHARACTERS = 255;

/** Repeating a request returns the same answer, even a refusal; a different request with the same key is an error. */
async function once(
  { client, account }: Books,
  { key, hash }: { key: string; hash: string },
  make: () => Promise<Answer>,
): Promise<Answer> {
  if (key.length > IDEMPOTENCY_KEY_MAX_CHARACTERS)
    throw new ApiError(400, 'invalid_request_error', 'Idempotency keys have 255 characters at most.');
  await client.query(`delete from payment_local.request where created_at < now() - interval '24 hours'`);
  const { rows } = await client.query<{ hash: string; status: number; answer: object }>(
    'select hash, status, answer from payment_local.request where account = $1 and key = $2',
    [account, key],
  );
  const [known] = rows;
  if (known && known.hash !== hash) {
    throw new ApiError(
      400,
      'idempotency_error',
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
    );
  }
  if (known) return { status: known.status, body: known.answer, isReplayed: true };
  const made = await make();
  await client.query(
    'insert into payment_local.request (account, key, hash, status, answer) values ($1, $2, $3, $4, $5)',
    [account, key, hash, made.status, JSON.stringify(made.body)],
  );
  return made;
}
