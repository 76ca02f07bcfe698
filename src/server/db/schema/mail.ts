import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, moment } from './columns.ts';

/** Outgoing mail; without an SMTP server it stays here and is shown at `/dev/inbox`. */
export const mail = pgTable(
  'mail',
  {
    id: text('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    html: text('html'),
    sentAt: moment('sent_at'),
    createdAt: createdAt(),
  },
  (table) => [index('mail_created').on(table.createdAt)],
);
