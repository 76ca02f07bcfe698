import { INVITE_LIFETIME_HOURS } from '../../../contract/limits.ts';
import type { MailContent } from '../../mail/mailer.ts';
import { mailHtml, named } from '../../mail/html.ts';

interface InviteLetter {
  organizationName: string;
  inviterName: string;
  role: string;
  link: string;
}

export function inviteMail({ organizationName, inviterName, role, link }: InviteLetter): MailContent {
  const organization = named(organizationName);
  const title = `You are invited to ${organization}`;
  const invitation = `${named(inviterName)} invites you to join ${organization} on Parley as ${articleOf(role)} ${role}.`;
  const footnote = `The invite is for this address only and works once, for ${INVITE_LIFETIME_HOURS} hours. If you don't know the sender, ignore this e-mail.`;
  return {
    subject: title,
    text: [invitation, 'Open this link to accept or decline:', link, footnote].join('\n\n'),
    html: mailHtml({
      title,
      paragraphs: [invitation],
      button: { label: 'View invite', link },
      footnote,
    }),
  };
}

function articleOf(role: string): string {
  return /^[aeiou]/.test(role) ? 'an' : 'a';
}
