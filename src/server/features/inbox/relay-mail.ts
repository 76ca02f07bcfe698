import { mailHtml, named } from '../../mail/html.ts';
import type { MailContent } from '../../mail/mailer.ts';
import type { Unread } from './relay-store.ts';

/** Tells an end user what a person has answered in the meantime. */
export function relayMail(letter: {
  agentName: string;
  unread: readonly Unread[];
  link: string;
}): MailContent {
  const agent = named(letter.agentName);
  const title = `${agent}: you have an answer`;
  const paragraphs = letter.unread.map(({ author, text }) =>
    author === '' ? `(person): ${text}` : `${named(author)} (person): ${text}`,
  );
  const footnote = 'You get this e-mail because you asked for a person and were away when they answered.';
  return {
    subject: title,
    text: [...paragraphs, 'Open this link to answer:', letter.link, footnote].join('\n\n'),
    html: mailHtml({
      title,
      paragraphs,
      button: { label: 'Answer', link: letter.link },
      footnote,
    }),
  };
}
