import { createClient } from '../src/contract/client.ts';
import { contract } from '../src/contract/index.ts';

/** A member with an organization and three agents; returns the browser's cookies. */
export async function signUp(baseUrl: string): Promise<{ cookie: string; organizationId: string }> {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const client = createClient(contract, {
    baseUrl,
    token: () => undefined,
    fetch: async (url, init) => {
      const headers = { ...(init?.headers as Record<string, string>), cookie: cookie(), origin: baseUrl };
      const response = await fetch(url, { ...init, headers });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      return response;
    },
  });
  await client.identity.signInAsGuest({});
  await client.user.register({ name: 'Ada', username: 'ada' });
  await client.identity.refresh({});
  const { organization } = await client.organization.create({ name: 'Acme' });
  for (const name of ['Support', 'Sales', 'Documentation'])
    await client.chatbot.create({ organizationId: organization.id, name });
  return { cookie: cookie(), organizationId: organization.id };
}
