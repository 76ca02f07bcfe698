import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { mailHtml } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';

export function signInMail(link: string): MailContent {
  const title = 'Your Parley sign-in link';
  return mailWith({
    subject: title,
    title,
    what: 'Open this link in the browser you requested it from:',
    button: { label: 'Sign in', link },
    footnote: `It works once, for ${SIGN_IN_LINK_LIFETIME_MINUTES} minutes. If you did not request it, ignore this e-mail.`,
  });
}

export function changeEmailMail(link: string): MailContent {
  const title = 'Confirm your new e-mail address';
  return mailWith({
    subject: `${title} for Parley`,
    title,
    what: 'Open this link in the browser in which you changed your address:',
    button: { label: 'Confirm', link },
    footnote: `It works once, for ${SIGN_IN_LINK_LIFETIME_MINUTES} minutes. If you did not change it, ignore this e-mail.`,
  });
}

/** For the address that no longer signs in. */
export function formerAddressMail(email: string, origin: string): MailContent {
  const title = 'Your Parley e-mail address was changed';
  return mailWith({
    subject: title,
    title,
    what: `You now sign in as ${email}, and no longer with this address. All other sessions have ended.`,
    button: { label: 'Open Parley', link: origin },
    footnote: 'If you did not change it, tell whoever runs this Parley.',
  });
}

interface Parts {
  subject: string;
  title: string;
  what: string;
  button: { label: string; link: string };
  footnote: string;
}

function mailWith({ subject, title, what, button, footnote }: Parts): MailContent {
  return {
    subject,
    text: [what, button.link, footnote].join('\n\n'),
    html: mailHtml({ title, paragraphs: [what], button, footnote }),
  };
}
