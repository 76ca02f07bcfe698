import type { Session } from '../src/contract/identity.ts';
import { openBrowserClient, type BrowserClient } from './browser-client.ts';
import type { Product } from './product.ts';

/** A browser with its own address. */
export interface Browser extends Omit<BrowserClient, 'token'> {
  /** Signs in the person who has proven through an emailed link that this address is theirs. */
  signIn: (email: string) => Promise<Session>;
  /** A token with the current state. */
  refresh: () => Promise<Session>;
  /** The newest email to this address. */
  mailTo: (email: string) => Promise<{ subject: string; text: string; html: string | null }>;
}

let opened = 0;

export function openBrowser(product: Product): Browser {
  opened += 1;
  const address = `10.200.${opened >> 8}.${opened & 255}`;
  const { client, jar, adopt } = openBrowserClient(product.url, { 'x-forwarded-for': address });
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
    adopt,
    mailTo,
    signIn: async (email) => {
      await client.identity.sendSignInLink({ email });
      const token = tokenOf((await mailTo(email)).text);
      const session = await client.identity.confirmSignInLink({ email, token });
      adopt(session);
      return session;
    },
    refresh: async () => {
      const { session } = (await client.identity.refresh()) as { session: Session };
      adopt(session);
      return session;
    },
  };
}

/** The secret in an emailed link. */
export function tokenOf(text: string): string {
  const token = /\?token=([\w-]+)/.exec(text)?.[1];
  if (!token) throw new Error('The mail holds no link.');
  return token;
}
