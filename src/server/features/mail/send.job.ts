import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import type { Mailer } from '../../mail/mailer.ts';
import * as store from './store.ts';

/** Until then, a mail that its server refuses for good may be due to a setting that the operator mends. */
const REFUSED_FOR_MS = 2 * 3_600_000;

/**
 * Sends a stored mail. If run twice it may be delivered twice, because mail servers have no idempotency. It is lost only
 * if its server refuses it for two hours or can't be reached for three days, or if nobody needs it any more.
 */
export function sendMail({ db, log }: Pick<Deps, 'db' | 'log'>, mailer: Mailer) {
  return async ({ mailId, until }: JobData['mail.send']): Promise<void> => {
    const mail = await db.in({}, (tx) => store.findMail(tx, mailId));
    if (!mail || mail.sentAt || (until !== undefined && Date.now() >= Date.parse(until))) return;
    const { recipient, subject, text, html, createdAt } = mail;
    try {
      await mailer.send(recipient, { subject, text, html: html ?? undefined });
    } catch (error) {
      if (!isRefusal(error) || Date.now() - createdAt.getTime() < REFUSED_FOR_MS) throw error;
      return log.warn({ err: error, mailId }, 'mail given up');
    }
    await db.in({}, (tx) => store.markSent(tx, mailId));
  };
}

/** A permanent negative reply (RFC 5321, 4.2.1). */
function isRefusal(error: unknown): boolean {
  const { responseCode = 0 } = error as { responseCode?: number };
  return responseCode >= 500;
}
