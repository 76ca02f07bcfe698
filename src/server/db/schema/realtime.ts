import { bigserial, customType, pgTable } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** What is too long for a notification between processes, for some seconds. The library that writes it names the columns. */
export const socketAttachment = pgTable('socket_attachment', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  createdAt: createdAt(),
  payload: bytes('payload'),
});
