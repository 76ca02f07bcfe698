import * as oidc from 'openid-client';
import { AppError } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import { isLoopback, operatorFetch } from '../../egress/operator-fetch.ts';
import { newSecret } from '../../identity/secrets.ts';
import { Whose, type Me } from './call.ts';

/** Must be kept, hidden from everyone, until the person returns. */
interface PendingLogin {
  state: string;
  codeVerifier: string;
}

/** An account that has granted us access. */
interface XAccount {
  id: string;
  username: string;
  credentials: XCredentials;
}

/** Store encrypted. */
export interface XCredentials {
  accessToken: string;
  refreshToken: string | null;
  /** ISO 8601; null if X didn't say. */
  expiresAt: string | null;
  scope: string | null;
}

/**
 * Signing in at X for its API: OAuth 2.0 with PKCE. Errors: `auth/provider-unavailable` if it isn't set up or
 * unreachable, `auth/provider-refused` for an invalid response: wrong state or verifier, a used code.
 */
export interface X {
  isConfigured: boolean;
  begin: (redirectUri: string) => Promise<{ url: string; pending: PendingLogin }>;
  finish: (
    redirectUri: string,
    answer: { code: string; iss: string | undefined },
    pending: PendingLogin,
  ) => Promise<XAccount>;
  /** Replaces the credentials. X accepts a refresh token only once: the result must be saved. */
  renew: (credentials: Pick<XCredentials, 'refreshToken'>) => Promise<XCredentials>;
}

/** Reading and writing posts and direct messages, and a refresh token, because plugins run unattended. */
const SCOPE = 'tweet.read tweet.write users.read dm.read dm.write offline.access';

export function createX({ x }: Pick<Config, 'x'>): X {
  const client = x && clientOf(x);
  const configured = () => {
    if (!x || !client) throw new AppError('auth/provider-unavailable', 'X is not set up here.');
    return { x, client };
  };
  return {
    isConfigured: x !== undefined,
    begin: async (redirectUri) => {
      const pending = { state: newSecret(), codeVerifier: newSecret() };
      const url = oidc.buildAuthorizationUrl(configured().client, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: pending.state,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    finish: async (redirectUri, { code, iss }, { state, codeVerifier }) => {
      const { x, client } = configured();
      const address = new URL(redirectUri);
      address.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString();
      try {
        const tokens = await oidc.authorizationCodeGrant(client, address, {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
        });
        return { ...(await readMe(x.apiUrl, tokens.access_token)), credentials: credentialsOf(tokens) };
      } catch (error) {
        throw explained(error);
      }
    },
    renew: async ({ refreshToken }) => {
      const { client } = configured();
      if (refreshToken === null) throw new AppError('auth/provider-refused');
      try {
        const tokens = await oidc.refreshTokenGrant(client, refreshToken);
        return { ...credentialsOf(tokens), refreshToken: tokens.refresh_token ?? refreshToken };
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

/** X publishes no discovery document; its addresses are configured. */
function clientOf({ clientId, clientSecret, authorizationUrl, tokenUrl }: NonNullable<Config['x']>) {
  const server = {
    issuer: new URL(authorizationUrl).origin,
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
  };
  const client = new oidc.Configuration(server, clientId, undefined, authenticateBy(clientSecret));
  if (isLoopback(tokenUrl)) oidc.allowInsecureRequests(client);
  client[oidc.customFetch] = (url, { method, headers, body }) =>
    operatorFetch(url, { method, headers, body: body as BodyInit | null });
  return client;
}

/** The header as X documents it, with both values unescaped. RFC 6749, which the library follows, escapes them first. */
function authenticateBy(secret: string): oidc.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`);
  };
}

async function readMe(apiUrl: string, accessToken: string): Promise<Me> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await operatorFetch(`${apiUrl}/2/users/me`, { headers });
  const me = Whose.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !me.success)
    throw new AppError('auth/provider-refused', 'X did not say whose account it is.');
  return me.data.data;
}

function credentialsOf(tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers): XCredentials {
  const seconds = tokens.expiresIn();
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? null,
    expiresAt: seconds === undefined ? null : new Date(Date.now() + seconds * 1000).toISOString(),
    scope: tokens.scope ?? null,
  };
}

/** The error names addresses and tokens; the person is only told whose fault it is. */
function explained(error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
  }
  return new AppError('auth/provider-refused', undefined, { cause: error });
}
