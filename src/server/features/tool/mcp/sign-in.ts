import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  registerClient,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { checkResourceAllowed } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { TOOL_CALL_TIMEOUT_MS } from '../../../../contract/limits.ts';
import { Authentication } from '../../../../contract/tool.ts';
import { AppError, invalidField } from '../../../app-error.ts';
import type { Fetch } from '../../../egress/model-fetch.ts';
import { normalAddress } from '../settings.ts';

const SCOPE_MAX_CHARACTERS = 1000;

/** The client that asks people to agree. */
interface SignInClient {
  clientId: string;
  /** Null: a public client. Undefined: the known one. */
  secret: string | null | undefined;
}

export interface FoundSignIn {
  authentication: Authentication;
  secret: SignInClient['secret'];
}

interface Asked {
  serverUrl: string;
  /** Undefined: register one. */
  client: SignInClient | undefined;
  redirectUri: string;
  signal: AbortSignal;
}

/**
 * How people sign in at an MCP server, from the metadata that it and its authorization server publish. Every address in
 * the metadata is untrusted, so it is fetched through `services` like one a person entered; the metadata has to be that
 * of the server asked, and for this very server. Errors: 400 for a server that requires no sign-in; `egress/failed`,
 * `egress/url-not-allowed`.
 */
export async function findSignIn(services: Fetch, asked: Asked): Promise<FoundSignIn> {
  const { serverUrl, redirectUri, signal } = asked;
  const within = AbortSignal.any([signal, AbortSignal.timeout(TOOL_CALL_TIMEOUT_MS)]);
  const fetch: Fetch = (input, init) => services(input, { ...init, signal: within });
  try {
    const { resourceMetadataUrl, scope } = await refusalOf(fetch, serverUrl);
    const resource = await resourceOf(fetch, serverUrl, resourceMetadataUrl);
    const server = await authorizationServerOf(fetch, serverUrl, resource);
    const client = asked.client ?? (await registered(fetch, server, redirectUri));
    const scopes = scope ?? resource?.scopes_supported?.join(' ') ?? '';
    const authentication = Authentication.parse({
      type: 'authorizationCode',
      authorizationUrl: server.authorization_endpoint,
      tokenUrl: server.token_endpoint,
      clientId: client.clientId,
      scope: scopes.length > SCOPE_MAX_CHARACTERS ? '' : scopes,
      resource: resource?.resource,
      revocationUrl: revocationOf(server),
    });
    return { authentication, secret: client.secret };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    throw failed('does not say how people sign in, or not in a way that is known here');
  }
}

/** The server's response to an unauthenticated client. */
async function refusalOf(fetch: Fetch, serverUrl: string) {
  const clientInfo = { name: 'parley', version: '1' };
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo };
  const response = await fetch(serverUrl, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await response.body?.cancel();
  if (response.status !== 401)
    throw invalidField(
      'serverUrl',
      `The server does not ask people to sign in: it answered ${response.status}.`,
    );
  return extractWWWAuthenticateParams(response);
}

/** RFC 9728; undefined for an older server that publishes none. */
async function resourceOf(
  fetch: Fetch,
  serverUrl: string,
  resourceMetadataUrl: URL | undefined,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const options = resourceMetadataUrl ? { resourceMetadataUrl } : {};
  const found = await discoverOAuthProtectedResourceMetadata(serverUrl, options, fetch).catch(
    (error: unknown) => {
      if (error instanceof AppError || resourceMetadataUrl) throw error;
      return undefined;
    },
  );
  if (found && !checkResourceAllowed({ requestedResource: serverUrl, configuredResource: found.resource }))
    throw failed('tells of the sign-in of another one');
  return found;
}

/** RFC 8414 or OpenID Connect. A server that speaks for another is not trusted, and none is used without PKCE. */
async function authorizationServerOf(
  fetch: Fetch,
  serverUrl: string,
  resource: OAuthProtectedResourceMetadata | undefined,
): Promise<AuthorizationServerMetadata> {
  const issuer = resource?.authorization_servers?.[0] ?? new URL('/', serverUrl).href;
  const found = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  if (!found) throw failed('does not say how people sign in');
  if (normalAddress(found.issuer) !== normalAddress(issuer))
    throw failed('names a sign-in that is another one’s');
  if (!found.code_challenge_methods_supported?.includes('S256'))
    throw failed('has a sign-in that does not protect its codes (PKCE with S256)');
  return found;
}

/** RFC 7009. In OpenID Connect metadata it is only a convention. */
function revocationOf(server: AuthorizationServerMetadata): unknown {
  return 'revocation_endpoint' in server ? server.revocation_endpoint : undefined;
}

/** RFC 7591. A public client where possible: a secret that doesn't exist can't leak. */
async function registered(
  fetch: Fetch,
  metadata: AuthorizationServerMetadata,
  redirectUri: string,
): Promise<SignInClient> {
  const { issuer, registration_endpoint: place, token_endpoint_auth_methods_supported: methods } = metadata;
  if (place === undefined)
    throw failed('registers no clients by itself. Register one there, and enter its id');
  const method = methods?.includes('none') ? 'none' : 'client_secret_basic';
  if (methods && !methods.includes(method))
    throw failed('wants clients to prove themselves in a way that is not known here');
  const client = await registerClient(issuer, {
    metadata,
    clientMetadata: {
      client_name: 'Parley',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
    },
    fetchFn: fetch,
  });
  const { client_id: clientId, client_secret: secret } = client;
  if (method === 'none') return { clientId, secret: null };
  if (secret === undefined) throw failed('registered a client without the secret that it needs');
  return { clientId, secret };
}

function failed(what: string): AppError {
  return new AppError('egress/failed', `The server ${what}.`);
}
