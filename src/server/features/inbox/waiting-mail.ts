import type { MailContent } from '../../mail/mailer.ts';
import { mailHtml, named } from '../../mail/html.ts';

interface WaitingLetter {
  agentName: string;
  endUserName: string;
  reason: string;
  /** Oldest first. */
  said: { who: string; text: string }[];
  link: string;
}

/** Tells a member that somebody is waiting for a person, with the preceding messages. */
export function waitingMail({ agentName, endUserName, reason, said, link }: WaitingLetter): MailContent {
  const [agent, endUser] = [named(agentName), named(endUserName)];
  const title = `${endUser} asks for a person`;
  const paragraphs = [
    `${endUser} is chatting with ${agent} and is waiting for a person to answer.`,
    ...(reason === '' ? [] : [`Reason: ${reason}`]),
    ...said.map(({ who, text }) => `${named(who)}: ${text}`),
  ];
  const footnote = 'You can change who is notified in the inbox settings.';
  return {
    subject: title,
    text: [...paragraphs, 'Open this link to answer:', link, footnote].join('\n\n'),
    html: mailHtml({
      title,
      paragraphs,
      button: { label: 'Answer', link },
      footnote,
    }),
  };
}
