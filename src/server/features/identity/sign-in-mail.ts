import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { mailHtml } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

export function changeEmailMail(link: string): MailContent {
  const title = 'Confirm your new e-mail address';
  const instruction = 'Open this link in the browser in which you changed your address:';
  const footnote = `It works once, for ${SIGN_IN_LINK_LIFETIME_MINUTES} minutes. If you did not change it, ignore this e-mail.`;
  return {
    subject: `${title} for Parley`,
    text: [instruction, link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs: [instruction], button: { label: 'Confirm', link }, footnote }),
  };
}

/** For the address that no longer signs in. */
export function formerAddressMail(email: string, origin: string): MailContent {
  const title = 'Your Parley e-mail address was changed';
  const what = `You now sign in as ${email}, and no longer with this address. All other sessions have ended.`;
  const footnote = 'If you did not change it, tell whoever runs this Parley.';
  return {
    subject: title,
    text: [what, origin, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs: [what], button: { label: 'Open Parley', link: origin }, footnote }),
  };
}

export function signInMail(link: string): MailContent {
  const title = 'Your Parley sign-in link';
  const instruction = 'Open this link in the browser you requested it from:';
  const footnote = `It works once, for ${SIGN_IN_LINK_LIFETIME_MINUTES} minutes. If you did not request it, ignore this e-mail.`;
  return {
    subject: title,
    text: [instruction, link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs: [instruction], button: { label: 'Sign in', link }, footnote }),
  };
}
