import type { Deps } from '../../deps.ts';
import type { Mailer } from '../../mail/mailer.ts';
import * as store from './store.ts';

/** Sends a stored mail. Run twice it may be delivered twice, never lost: mail servers know no idempotency. */
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
