import { createClient, type Client } from '../src/contract/client.ts';
import { contract, type ParleyContract } from '../src/contract/index.ts';

export interface BrowserClient {
  client: Client<ParleyContract>;
  /** The token that the next calls bear. */
  token: () => string | undefined;
}

/** The typed client as a browser has it, which keeps its cookies, of a person who has just registered. */
export async function registerInBrowser(url: string, name: string): Promise<BrowserClient> {
  const jar = new Map<string, string>();
  let idToken: string | undefined;
  const client = createClient(contract, {
    baseUrl: url,
    token: () => idToken,
    fetch: async (input, init) => {
      const cookie = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
      const headers = { ...(init?.headers as Record<string, string>), cookie };
      const response = await fetch(input, { ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(key, value);
      }
      return response;
    },
  });
  ({ idToken } = await client.identity.signInAsGuest());
  await client.user.register({ name, username: `${name}${Date.now() % 1e7}` });
  // The membership is in the next token.
  idToken = (await client.identity.refresh()).session?.idToken;
  return { client, token: () => idToken };
}
