import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import type { MailContent } from '../../mail/mailer.ts';

export function signInMail(link: string): MailContent {
  return {
    subject: 'Your link to sign in to Parley',
    text: [
      'Open this link in the browser in which you asked for it:',
      link,
      `It works once, for ${SIGN_IN_LINK_LIFETIME_MINUTES} minutes. If you did not ask for it, ignore this mail.`,
    ].join('\n\n'),
  };
}
