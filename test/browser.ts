import { createClient } from '../src/contract/client.ts';
import type { Session } from '../src/contract/identity.ts';
import { contract } from '../src/contract/index.ts';
import type { Product, TestClient } from './product.ts';

/** A browser of its own: it keeps its cookies, and the token of whoever is signed in. */
export interface Browser {
  client: TestClient;
  jar: Map<string, string>;
  /** From now on the client bears this session's token; none: only cookies speak for it. */
  adopt: (session: Session | undefined) => void;
  /** The person who has shown, by the link of a mail, that this address is theirs. */
  signIn: (email: string) => Promise<Session>;
  /** A token that says how things are now. */
  refresh: () => Promise<Session>;
  /** The newest mail to this address. */
  mailTo: (email: string) => Promise<{ subject: string; text: string; html: string | null }>;
}

let opened = 0;

export function openBrowser(product: Product): Browser {
  opened += 1;
  const address = `10.200.${opened >> 8}.${opened & 255}`;
  const jar = new Map<string, string>();
  let session: Session | undefined;
  const client = createClient(contract, {
    baseUrl: product.url,
    token: () => session?.idToken,
    fetch: async (input, init) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { ...(init?.headers as Record<string, string>), 'x-forwarded-for': address };
      const response = await fetch(input, { ...init, headers: cookie ? { ...headers, cookie } : headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
  });
  const mailTo: Browser['mailTo'] = async (email) => {
    const { rows } = await product.app.deps.db.owner.query<Awaited<ReturnType<Browser['mailTo']>>>(
      'select subject, text, html from mail where recipient = $1 order by created_at desc, id desc limit 1',
      [email],
    );
    if (!rows[0]) throw new Error(`There is no mail to ${email}.`);
    return rows[0];
  };
  return {
    client,
    jar,
    adopt: (next) => (session = next),
    mailTo,
    signIn: async (email) => {
      await client.identity.sendSignInLink({ email });
      const token = tokenOf((await mailTo(email)).text);
      session = await client.identity.confirmSignInLink({ email, token });
      return session;
    },
    refresh: async () => {
      ({ session } = (await client.identity.refresh()) as { session: Session });
      return session;
    },
  };
}

/** The secret in the link of a mail. */
export function tokenOf(text: string): string {
  const token = /\?token=([\w-]+)/.exec(text)?.[1];
  if (!token) throw new Error('The mail holds no link.');
  return token;
}
