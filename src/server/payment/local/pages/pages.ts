import { ApiError } from '../api-error.ts';
import { accountOf, type Books } from '../books.ts';
import type { Kind } from '../kinds.ts';
import type { Ledger } from '../ledger.ts';
import { postAccount, showAccount } from './account-page.ts';
import { postCheckout, showCheckout, type Typed } from './checkout-page.ts';
import { page, type PageAnswer } from './html.ts';
import { postPortal, showPortal } from './portal-page.ts';

interface PageKind {
  kind: Kind;
  show: (books: Books, id: string, isSaying: boolean) => Promise<PageAnswer>;
  post: (books: Books, id: string, typed: Typed) => Promise<PageAnswer>;
}

const kinds: Record<string, PageKind> = {
  checkout: { kind: 'checkout.session', show: showCheckout, post: postCheckout },
  portal: { kind: 'billing_portal.session', show: showPortal, post: postPortal },
  account: { kind: 'account_link', show: showAccount, post: postAccount },
};

/** Shows a page or, given form input, performs the action and redirects to a page that reports it. */
export type TestPages = (
  kind: string,
  id: string,
  given: { typed?: Typed | undefined; isSaying?: boolean },
) => Promise<PageAnswer>;

/** The pages people would see at the provider. Knowing the address is enough to use one, as at Stripe. */
export function testPages(ledger: Ledger): TestPages {
  return async (name, id, { typed, isSaying = false }) => {
    const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (!known) return missing();
    const { kind, show, post } = known;
    const work = async (books: Books): Promise<PageAnswer> => {
      const account = await accountOf(books.client, kind, id);
      if (account === undefined) return missing();
      return typed ? post(books.of(account), id, typed) : show(books.of(account), id, isSaying);
    };
    try {
      return await (typed ? ledger.write('', work) : ledger.read('', work));
    } catch (error) {
      if (error instanceof ApiError)
        return page('That did not work', '<p>Go back and try again.</p>', { status: error.status });
      throw error;
    }
  };
}

function missing(): PageAnswer {
  return page('This page does not exist', '<p>Go back to where you came from.</p>', { status: 404 });
}
