import { bigserial, customType, pgTable } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Payloads too long for a notification between processes, kept for a few seconds. The library that writes it dictates
 * the column names.
 */
export const socketAttachment = pgTable('socket_attachment', {
  id: bigserial('id', { mode: 'number' }).primaryKey(),
  createdAt: createdAt(),
  payload: bytes('payload'),
});
