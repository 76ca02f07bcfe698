import type { Session } from '../src/contract/identity.ts';
import { connect, type TestClient } from './client.ts';

/** The typed client as in a browser: it keeps its cookies, and the token of the signed-in person. */
export interface BrowserClient {
  client: TestClient;
  jar: Map<string, string>;
  /** From now on the client sends this session's token; undefined: only cookies. */
  adopt: (session: Session | undefined) => void;
  token: () => string | undefined;
}

export function openBrowserClient(url: string, headers: Record<string, string> = {}): BrowserClient {
  const jar = new Map<string, string>();
  let idToken: string | undefined;
  const client = connect({
    baseUrl: url,
    token: () => idToken,
    fetch: async (input, init) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = { ...(init?.headers as Record<string, string>), ...headers };
      const response = await fetch(input, { ...init, headers: cookie ? { ...sent, cookie } : sent });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
  });
  return { client, jar, adopt: (session) => (idToken = session?.idToken), token: () => idToken };
}

/** The browser of a person who has just registered. */
export async function registerInBrowser(url: string, name: string): Promise<BrowserClient> {
  const browser = openBrowserClient(url);
  const { client, adopt } = browser;
  adopt(await client.identity.signInAsGuest());
  await client.user.register({ name, username: `${name}${Date.now() % 1e7}` });
  // The next token includes the membership.
  adopt((await client.identity.refresh()).session ?? undefined);
  return browser;
}
