import * as oidc from 'openid-client';
import { EmailAddress } from '../../contract/common.ts';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { isLoopback, operatorFetch } from '../egress/operator-fetch.ts';
import { newSecret } from './secrets.ts';

/** What must be kept secret until the person returns. */
interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** The identity the provider reports. `subject` never changes; an address may. */
export interface GoogleAccount {
  subject: string;
  email: string;
  name: string | undefined;
}

export interface Answer {
  code: string;
  state: string;
  /** The provider that answered, if it says so; required of a provider that always does. */
  iss: string | undefined;
}

/**
 * Sign-in with Google or any OpenID Connect provider, found by discovery from its issuer. Errors:
 * `auth/provider-unavailable` if it is not configured or unreachable, `auth/provider-refused` for an answer that proves
 * nothing: a different state, nonce, issuer or audience, a wrong signature, a used code, an unconfirmed address.
 */
export interface Google {
  isConfigured: boolean;
  begin: (redirectUri: string) => Promise<{ url: string; pending: PendingSignIn }>;
  finish: (redirectUri: string, answer: Answer, pending: PendingSignIn) => Promise<GoogleAccount>;
}

export function createGoogle({ google }: Pick<Config, 'google'>): Google {
  let discovered: Promise<oidc.Configuration> | undefined;
  /** Once per process; a failure is not cached. */
  const provider = (): Promise<oidc.Configuration> => {
    if (!google) throw new AppError('auth/provider-unavailable');
    discovered ??= discover(google).catch((error: unknown) => {
      discovered = undefined;
      throw new AppError('auth/provider-unavailable', 'The provider cannot be reached.', { cause: error });
    });
    return discovered;
  };
  return {
    isConfigured: google !== undefined,
    begin: async (redirectUri) => {
      const pending = { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() };
      const url = oidc.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    finish: async (redirectUri, answer, pending) => {
      const config = await provider();
      return claimsOf(config, addressOf(redirectUri, answer), pending).then(accountOf, (error: unknown) => {
        throw explained(error);
      });
    },
  };
}

/** The provider's claims from its signed token; providers that keep the token short give the rest on request. */
async function claimsOf(
  config: oidc.Configuration,
  address: URL,
  { state, nonce, codeVerifier }: PendingSignIn,
): Promise<oidc.UserInfoResponse> {
  const tokens = await oidc.authorizationCodeGrant(config, address, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new AppError('auth/provider-refused');
  if (claims['email'] !== undefined || !config.serverMetadata().userinfo_endpoint) return claims;
  return oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
}

async function discover({ issuer, clientId, clientSecret }: NonNullable<Config['google']>) {
  // The identity token's signature is checked even though it comes straight from the provider.
  const execute = [oidc.enableNonRepudiationChecks];
  if (isLoopback(issuer)) execute.push(oidc.allowInsecureRequests);
  return oidc.discovery(new URL(issuer), clientId, undefined, authenticateBy(clientSecret), {
    execute,
    [oidc.customFetch]: (url, { method, headers, body }) =>
      operatorFetch(url, { method, headers, body: body as BodyInit | null }),
  });
}

/** As the provider declares: the secret in the body, or in the header, which every provider must support. */
function authenticateBy(secret: string): oidc.ClientAuth {
  const [inBody, inHeader] = [oidc.ClientSecretPost(secret), oidc.ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const knowsBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (knowsBody ? inBody : inHeader)(server, ...rest);
  };
}

/** The address the person returned to, as the provider built it. */
function addressOf(redirectUri: string, { code, state, iss }: Answer): URL {
  const address = new URL(redirectUri);
  address.searchParams.set('code', code);
  address.searchParams.set('state', state);
  if (iss !== undefined) address.searchParams.set('iss', iss);
  return address;
}

function accountOf({ sub, name, email = '', email_verified }: oidc.UserInfoResponse): GoogleAccount {
  const address = EmailAddress.safeParse(email);
  if (!address.success || email_verified !== true) {
    throw new AppError('auth/provider-refused', 'The provider has not confirmed your e-mail address.');
  }
  return { subject: sub, email: address.data, name };
}

/** The cause names addresses and claims; the person is told only whose fault it is. */
function explained(error: unknown): AppError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof AppError) return cause;
  }
  return new AppError('auth/provider-refused', undefined, { cause: error });
}
