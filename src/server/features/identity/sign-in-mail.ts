import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { mailHtml } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

export function signInMail(link: string): MailContent {
  const title = 'Your link to sign in to Parley';
  const instruction = 'Open this link in the browser in which you asked for it:';
  const footnote = `It works once, for ${SIGN_IN_LINK_LIFETIME_MINUTES} minutes. If you did not ask for it, ignore this mail.`;
  return {
    subject: title,
    text: [instruction, link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs: [instruction], button: { label: 'Sign in', link }, footnote }),
  };
}
