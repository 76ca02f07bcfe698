import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Server, type MutableToken } from 'oauth2-mock-server';
import Provider from 'oidc-provider';

export const CLIENT = { clientId: 'parley', clientSecret: 'a-secret-of-the-operator' };

/** A person signing in at the provider. */
export interface Person {
  subject: string;
  email: string;
  name?: string;
  verified?: boolean;
  /** Corrupts this person's token. */
  tamper?: (token: MutableToken) => void;
}

export interface OpenIdProvider {
  issuer: string;
  /** Registers our application there. */
  admit: (redirectUri: string) => void;
  /** Goes through its pages as this person, as a browser would; returns the address it redirects to. */
  visit: (url: string, person: Person) => Promise<URL>;
  close: () => Promise<void>;
}

/** Redirects at once; for everything a provider can do wrong. */
export async function startMockProvider(): Promise<OpenIdProvider & { server: OAuth2Server }> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, 'localhost');
  const people = new Map<string, Person>();
  server.service.on('beforeTokenSigning', (token: MutableToken, request: { body?: { code?: string } }) => {
    const person = people.get(request.body?.code ?? '');
    if (!person) return;
    Object.assign(token.payload, claimsOf(person), { sub: person.subject });
    person.tamper?.(token);
  });
  return {
    server,
    issuer: server.issuer.url ?? '',
    admit: () => {},
    visit: async (url, person) => {
      const response = await fetch(url, { redirect: 'manual' });
      const back = new URL(response.headers.get('location') ?? '');
      people.set(back.searchParams.get('code') ?? '', person);
      return back;
    },
    close: () => server.stop(),
  };
}

/** A certified provider with its own pages for signing in and agreeing; it names itself in the redirect. */
export async function startOidcProvider(): Promise<OpenIdProvider> {
  const people = new Map<string, Person>();
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    admit: (redirectUri) => {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: [redirectUri],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
        pkce: { required: () => true },
        cookies: { keys: ['of-the-test'] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...claimsOf(people.get(id)) }),
        }),
      });
      server.on('request', provider.callback());
    },
    visit: async (url, person) => {
      people.set(person.subject, person);
      return clickThrough(url, person.subject, issuer);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function claimsOf(person: Person | undefined) {
  if (!person) return {};
  const { email, name, verified = true } = person;
  return { email, email_verified: verified, ...(name && { name }) };
}

/** Follows redirects and submits the forms, with cookies, until it leaves the provider. */
async function clickThrough(start: string, login: string, issuer: string): Promise<URL> {
  const jar = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    form = undefined;
    const location = response.headers.get('location');
    if (location) {
      const next = new URL(location, issuer);
      if (next.origin !== issuer) return next;
      url = next.href;
      continue;
    }
    const page = await response.text();
    url = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? '', issuer).href;
    form = new URLSearchParams({
      prompt: /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? '',
      login,
      password: 'x',
    });
  }
  throw new Error('The provider did not send the person back.');
}
