import { jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { modelProviders, type ModelPrice } from '../../../contract/model.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

/** An organization's own account at a provider of models. */
export const modelProvider = pgTable(
  'model_provider',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: modelProviders }).notNull(),
    /** Null: the provider's own address. */
    baseUrl: text('base_url'),
    /** Encrypted; null where none is needed. Valid for `baseUrl` alone: with another address it is asked for again. */
    apiKey: text('api_key'),
    /** Its last four characters. */
    apiKeyPreview: text('api_key_preview'),
    /** Names of models that agents may choose, as the provider calls them. */
    models: jsonb('models').$type<string[]>().notNull(),
    /** What the provider charges for them, of those of which somebody has said it. */
    prices: jsonb('prices').$type<Record<string, ModelPrice>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('model_provider_of').on(table.organizationId, table.provider), ofOrganization()],
);
