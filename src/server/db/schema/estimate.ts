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

/** No row: conversations of the agent are not estimated. */
export const estimateSetting = pgTable(
  'estimate_setting',
  {
    agentId: ofAgent().primaryKey(),
    organizationId: organizationId(),
    /** Null: it is switched off. What was said before is not looked at. */
    enabledAt: moment('enabled_at'),
    quietMinutes: integer('quiet_minutes').notNull(),
    perDay: integer('per_day').notNull(),
    /** How many a model was asked for on that day, of UTC. */
    day: date('day'),
    asked: integer('asked').notNull().default(0),
  },
  () => [ofOrganization()],
);

/**
 * What a model makes of a conversation. The row is there from when the model is asked; without a sentiment it has not answered, or not in
 * the form that it was told.
 */
export const conversationEstimate = pgTable(
  'conversation_estimate',
  {
    conversationId: text('conversation_id')
      .primaryKey()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    agentId: ofAgent(),
    /** Of the newest message that it is of: a model is asked again only when more has been said. */
    sequence: integer('sequence').notNull(),
    /** In which it came to rest, as hours are counted. */
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
