import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../src/server/config/config.ts';
import { account, XApi } from './x-api.ts';

/**
 * A stand-in for X: OAuth 2.0 for a confidential client with PKCE, single-use codes and refresh tokens, and the part of
 * its API an account needs.
 */
export interface XService {
  api: XApi;
  /** The lifetime of tokens, in seconds. */
  tokensLast: number;
  /** Tokens issued until now grant no access any more, and can't be exchanged for others. */
  revoke: () => void;
  config: NonNullable<Config['x']>;
  /** Agrees on its page as this account, as a browser would; returns the address it redirects to. */
  agree: (url: string, username: string) => URL;
  /** Every token it has issued. */
  tokens: string[];
  close: () => Promise<void>;
}

interface Grant {
  username: string;
  challenge: string;
  redirectUri: string;
}

export async function startXService(): Promise<XService> {
  const grants = new Map<string, Grant>();
  const accounts = new Map<string, string>();
  /** Unused refresh tokens, with their account. */
  const refreshing = new Map<string, string>();
  const tokens: string[] = [];
  const client = { clientId: 'parley', clientSecret: 'a-secret-of-the-operator' };
  const basic = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
  const give = (): string => {
    const token = randomBytes(24).toString('base64url');
    tokens.push(token);
    return token;
  };

  const giveTokens = (username: string): object => {
    const [access_token, refresh_token] = [give(), give()];
    accounts.set(access_token, username);
    refreshing.set(refresh_token, username);
    setTimeout(() => accounts.delete(access_token), service.tokensLast * 1000).unref();
    return {
      token_type: 'bearer',
      access_token,
      refresh_token,
      expires_in: service.tokensLast,
      scope: 'users.read',
    };
  };
  const exchange = (request: IncomingMessage, form: URLSearchParams): object | undefined => {
    if (request.headers.authorization !== basic) return undefined;
    if (form.get('grant_type') === 'refresh_token') {
      const token = form.get('refresh_token') ?? '';
      const username = refreshing.get(token);
      refreshing.delete(token);
      return username === undefined ? undefined : giveTokens(username);
    }
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      form.get('grant_type') === 'authorization_code' &&
      grant?.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri');
    return isGood ? giveTokens(grant.username) : undefined;
  };

  const server = createServer((request, response) => {
    const answer = (status: number, body: object, headers = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    // In a browser, any visitor agrees at once.
    if (pathname === '/i/oauth2/authorize') {
      const location = service.agree(new URL(request.url ?? '', apiUrl).href, account.username).href;
      return void response.writeHead(302, { location }).end();
    }
    void text(request).then((body) => {
      if (pathname === '/2/oauth2/token') {
        const given = exchange(request, new URLSearchParams(body));
        return answer(given ? 200 : 400, given ?? { error: 'invalid_grant' });
      }
      const username = accounts.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
      if (username === undefined) return answer(401, { title: 'Unauthorized', status: 401 });
      if (pathname === '/2/users/me') return answer(200, { data: { ...account, username } });
      const {
        status,
        body: said,
        headers,
      } = service.api.answer(request.method ?? '', pathname, searchParams, body);
      return answer(status, said, headers);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: XService = {
    api: new XApi(),
    tokensLast: 7200,
    revoke: () => {
      accounts.clear();
      refreshing.clear();
    },
    config: {
      ...client,
      apiUrl,
      authorizationUrl: `${apiUrl}/i/oauth2/authorize`,
      tokenUrl: `${apiUrl}/2/oauth2/token`,
    },
    agree: (url, username) => {
      const asked = new URL(url).searchParams;
      const redirectUri = asked.get('redirect_uri') ?? '';
      const code = randomBytes(24).toString('base64url');
      grants.set(code, { username, challenge: asked.get('code_challenge') ?? '', redirectUri });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ state: asked.get('state') ?? '', code }).toString();
      return back;
    },
    tokens,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return service;
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
