import type { Books } from '../books.ts';
import { onboard } from '../connect.ts';
import type { Typed } from './checkout-page.ts';
import { again, button, form, goTo, linkTo, originsOf, page, type PageAnswer } from './html.ts';

/** Valid once and for a few minutes, like Stripe's; a late visitor has to request a new one. */
export async function showAccount(books: Books, linkId: string): Promise<PageAnswer> {
  const link = await books.get('account_link', linkId);
  const { returnUrl } = await books.hiddenOf('account_link', linkId);
  if (link.expires_at < books.now) return over(returnUrl);
  const address = URL.parse(link.url)?.pathname ?? '';
  const content = `<p>Here you would tell the payment provider about your business and your bank account. In test mode a press is enough.</p>
${form(address, button('Everything is given', 'complete'))}
${form(address, button('Give it in, but leave the bank account out', 'incomplete', 'plain'))}
${form(address, button('Leave it for later', 'later', 'plain'))}`;
  return page('Set up payouts', content, { leadsTo: originsOf(returnUrl) });
}

export async function postAccount(books: Books, linkId: string, typed: Typed): Promise<PageAnswer> {
  const link = await books.get('account_link', linkId);
  if (link.expires_at < books.now) return again(linkId, false);
  const { accountId = '', returnUrl } = await books.hiddenOf('account_link', linkId);
  const { action } = typed;
  if (action === 'complete' || action === 'incomplete') await onboard(books, accountId, action);
  await books.put({ ...link, expires_at: 0 });
  return returnUrl ? goTo(returnUrl) : again(linkId, false);
}

function over(returnUrl: string | undefined): PageAnswer {
  const content = `<p>It is good once. Ask for a new one where you came from.</p>${linkTo(returnUrl, 'Go back')}`;
  return page('This link has expired', content, { status: 410 });
}
