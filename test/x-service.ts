import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../src/server/config.ts';

/** A stand-in for X: OAuth 2.0 for a confidential client with PKCE, codes that are good once, and whose account it is. */
export interface XService {
  config: NonNullable<Config['x']>;
  /** Agrees at its page as this account, as a browser would; the address at which it sends the person back. */
  agree: (url: string, username: string) => URL;
  /** Every token it has given out. */
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
  const tokens: string[] = [];
  const client = { clientId: 'parley', clientSecret: 'a-secret-of-the-operator' };
  const basic = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
  const give = (): string => {
    const token = randomBytes(24).toString('base64url');
    tokens.push(token);
    return token;
  };

  const exchange = (request: IncomingMessage, form: URLSearchParams): object | undefined => {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      request.headers.authorization === basic &&
      form.get('grant_type') === 'authorization_code' &&
      grant?.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri');
    if (!isGood) return undefined;
    const access_token = give();
    accounts.set(access_token, grant.username);
    return {
      token_type: 'bearer',
      access_token,
      refresh_token: give(),
      expires_in: 7200,
      scope: 'users.read',
    };
  };

  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const username = accounts.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (request.url === '/2/users/me')
      return username ? answer(200, { data: { id: '42', name: 'Acme', username } }) : answer(401, {});
    void text(request).then((body) => {
      const given = exchange(request, new URLSearchParams(body));
      answer(given ? 200 : 400, given ?? { error: 'invalid_grant' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
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
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
