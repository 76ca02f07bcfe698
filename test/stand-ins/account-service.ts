import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A stand-in for a service where people have accounts: OAuth 2 for a confidential client with PKCE, single-use codes,
 * and refresh tokens that rotate with each use. It publishes how to sign in (RFC 8414), and registers public clients
 * (RFC 7591). Its page for people has one link, for agreeing.
 */
export interface AccountService {
  /** `host:port`, for the operator's list of addresses that may be read. */
  host: string;
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  /** The lifetime of access tokens from now on, both announced and enforced. */
  lifetimeSeconds: number;
  /** Agrees on its page as this person, as a browser would; returns the redirect and its parameters. */
  agree: (url: string, person: string) => { address: URL; state: string; code: string };
  /** The person a token belongs to; undefined if it isn't valid, or no longer. */
  personOf: (authorization: string | undefined) => string | undefined;
  /** The person revokes everything. */
  revoke: (person: string) => void;
  /** Ends all access tokens early. */
  endAccess: () => void;
  /** Overrides for its metadata. */
  metadata: Record<string, unknown>;
  /** The registrations by clients. */
  registered: Record<string, unknown>[];
  /** The people whose tokens it was told to revoke. */
  revoked: string[];
  /** The resources named by people and programs. */
  resources: (string | null)[];
  /** The grants requested, and every token issued. */
  grants: string[];
  tokens: string[];
  close: () => Promise<void>;
}

interface Code {
  person: string;
  challenge: string;
  redirectUri: string;
}

export async function startAccountService(): Promise<AccountService> {
  const codes = new Map<string, Code>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const service = {
    lifetimeSeconds: 3600,
    metadata: {},
    registered: [],
    revoked: [],
    resources: [],
    grants: [],
    tokens: [],
  } as unknown as AccountService;
  Object.assign(service, { clientId: 'parley', clientSecret: 'a-secret-of-the-owner' });
  const basic = Buffer.from(`${service.clientId}:${service.clientSecret}`).toString('base64');

  const newToken = () => {
    const token = randomBytes(24).toString('base64url');
    service.tokens.push(token);
    return token;
  };
  const give = (person: string) => {
    const [token, renewal] = [newToken(), newToken()];
    access.set(token, person);
    refresh.set(renewal, person);
    const { lifetimeSeconds: expires_in } = service;
    return { token_type: 'bearer', access_token: token, refresh_token: renewal, expires_in };
  };
  const personFor = (form: URLSearchParams): string | undefined => {
    const renewal = form.get('refresh_token') ?? '';
    const known = refresh.get(renewal);
    refresh.delete(renewal);
    if (form.get('grant_type') === 'refresh_token') return known;
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = form.get('code_verifier') ?? '';
    const isGood =
      code?.challenge === createHash('sha256').update(verifier).digest('base64url') &&
      code.redirectUri === form.get('redirect_uri');
    return isGood ? code.person : undefined;
  };

  let host = '';
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/authorize?')) {
      const { address } = service.agree(`http://${host}${request.url}`, 'somebody');
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<h1>Orders</h1><a href="${address.href.replaceAll('&', '&amp;')}">Agree</a>`);
      return;
    }
    if (request.url === '/.well-known/oauth-authorization-server') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...metadataOf(`http://${host}`), ...service.metadata }));
      return;
    }
    void text(request).then((body) => {
      if (request.url === '/register') {
        service.registered.push(JSON.parse(body) as Record<string, unknown>);
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ ...(JSON.parse(body) as object), client_id: idOf(service.registered.length - 1) }),
        );
        return;
      }
      const form = new URLSearchParams(body);
      if (request.url === '/revoke') {
        service.revoked.push(refresh.get(form.get('token') ?? '') ?? 'nobody');
        response.end();
        return;
      }
      service.grants.push(form.get('grant_type') ?? '');
      service.resources.push(form.get('resource'));
      const isPublic = service.registered.some((_, at) => form.get('client_id') === idOf(at));
      const isClient = isPublic || request.headers.authorization === `Basic ${basic}`;
      const person = isClient ? personFor(form) : undefined;
      response.writeHead(person === undefined ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(person === undefined ? { error: 'invalid_grant' } : give(person)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(service, {
    host,
    authorizationUrl: `http://${host}/authorize`,
    tokenUrl: `http://${host}/token`,
    agree: (url: string, person: string) => {
      const asked = new URL(url).searchParams;
      const redirectUri = asked.get('redirect_uri') ?? '';
      service.resources.push(asked.get('resource'));
      const [code, state] = [randomBytes(24).toString('base64url'), asked.get('state') ?? ''];
      codes.set(code, { person, challenge: asked.get('code_challenge') ?? '', redirectUri });
      const address = new URL(redirectUri);
      address.search = new URLSearchParams({ state, code }).toString();
      return { address, state, code };
    },
    personOf: (authorization: string | undefined) => access.get(authorization?.replace('Bearer ', '') ?? ''),
    revoke: (person: string) => {
      for (const known of [access, refresh])
        for (const [token, whose] of known) if (whose === person) known.delete(token);
    },
    endAccess: () => access.clear(),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

const idOf = (at: number) => `registered-${at + 1}`;

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
  };
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
