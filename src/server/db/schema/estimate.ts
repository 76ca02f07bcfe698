import { sql } from 'drizzle-orm';
import { boolean, date, index, integer, pgTable, smallint, text } from 'drizzle-orm/pg-core';
import { sentiments } from '../../../contract/sentiments.ts';
import { agent } from './agent.ts';
import { conversation } from './chat.ts';
import { moment, ofOrganization, organizationId } from './columns.ts';

const ofAgent = () =>
  text('agent_id')
    .notNull()
    .references(() => agent.id, { onDelete: 'cascade' });

/** No row: the agent's conversations aren't estimated. */
export const estimateSetting = pgTable(
  'estimate_setting',
  {
    agentId: ofAgent().primaryKey(),
    organizationId: organizationId(),
    /** Null: switched off. Nothing said before is assessed. */
    enabledAt: moment('enabled_at'),
    quietMinutes: integer('quiet_minutes').notNull(),
    perDay: integer('per_day').notNull(),
    /** How many the model was asked for on that UTC day. */
    day: date('day'),
    asked: integer('asked').notNull().default(0),
  },
  () => [ofOrganization()],
);

/**
 * A model's assessment of a conversation. The row exists from the moment the model is asked; without a sentiment the
 * model hasn't answered, or not in the requested form.
 */
export const conversationEstimate = pgTable(
  'conversation_estimate',
  {
    conversationId: text('conversation_id')
      .primaryKey()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    agentId: ofAgent(),
    /** The newest message assessed: the model is asked again only once more has been said. */
    sequence: integer('sequence').notNull(),
    /** The hour in which it went quiet, as counted by insights. */
    hour: moment('hour').notNull(),
    sentiment: text('sentiment', { enum: sentiments }),
    quality: smallint('quality'),
    answered: boolean('answered'),
    grounded: boolean('grounded'),
    estimatedAt: moment('estimated_at'),
  },
  (table) => [
    index('conversation_estimate_agent')
      .on(table.organizationId, table.agentId, table.hour)
      .where(sql`sentiment is not null`),
    index('conversation_estimate_of_agent').on(table.agentId),
    ofOrganization(),
  ],
);
