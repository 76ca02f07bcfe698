import { desc, eq, sql } from 'drizzle-orm';
import { MAIL_KEPT_DAYS } from '../../../contract/limits.ts';
import { mail } from '../../db/schema/index.ts';
import type { Database, Tx } from '../../db/scope.ts';
import { newId } from '../../id.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { MailContent } from '../../mail/mailer.ts';

export type Mail = typeof mail.$inferSelect;

/**
 * Stores a mail and the job that sends it; both exist exactly if the caller's transaction commits. A mail that could not
 * be sent within `neededMinutes` isn't sent any more.
 */
export async function enqueueMail(
  tx: Tx,
  jobs: Jobs,
  recipient: string,
  content: MailContent,
  { neededMinutes }: { neededMinutes?: number } = {},
): Promise<void> {
  const id = newId('mail');
  await tx.insert(mail).values({ id, recipient, ...content });
  const until = neededMinutes && new Date(Date.now() + neededMinutes * 60_000).toISOString();
  await jobs.enqueue(tx, 'mail.send', { mailId: id, ...(until && { until }) });
}

export async function findMail(tx: Tx, id: string): Promise<Mail | undefined> {
  const [found] = await tx.select().from(mail).where(eq(mail.id, id));
  return found;
}

export async function markSent(tx: Tx, id: string): Promise<void> {
  await tx
    .update(mail)
    .set({ sentAt: sql`now()` })
    .where(eq(mail.id, id));
}

export async function listNewestMail(tx: Tx, count: number): Promise<Mail[]> {
  return tx.select().from(mail).orderBy(desc(mail.createdAt), desc(mail.id)).limit(count);
}

/**
 * Includes mails that couldn't be sent: they haven't been tried for a long time. Runs as the owner, because mails
 * belong to nobody.
 */
export async function forgetMails({ owner }: Pick<Database, 'owner'>): Promise<void> {
  await owner.query('delete from mail where created_at < now() - make_interval(days => $1)', [
    MAIL_KEPT_DAYS,
  ]);
}
