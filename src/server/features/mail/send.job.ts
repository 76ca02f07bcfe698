import type { Deps } from '../../deps.ts';
import type { Mailer } from '../../mail/mailer.ts';
import * as store from './store.ts';

/** Sends a stored mail. If run twice it may be delivered twice, but it is never lost: mail servers have no idempotency. */
export function sendMail({ db }: Pick<Deps, 'db'>, mailer: Mailer) {
  return async ({ mailId }: { mailId: string }): Promise<void> => {
    const mail = await db.in({}, (tx) => store.findMail(tx, mailId));
    if (!mail || mail.sentAt) return;
    await mailer.send(mail.recipient, {
      subject: mail.subject,
      text: mail.text,
      html: mail.html ?? undefined,
    });
    await db.in({}, (tx) => store.markSent(tx, mailId));
  };
}
