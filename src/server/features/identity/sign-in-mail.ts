import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { mailHtml } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

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
