import { jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { modelProviders, type ModelPrice } from '../../../contract/model.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

/** An organization's own account with a model provider. */
export const modelProvider = pgTable(
  'model_provider',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    provider: text('provider', { enum: modelProviders }).notNull(),
    /** Null: the provider's standard address. */
    baseUrl: text('base_url'),
    /** Encrypted; null if none is needed. Valid only for `baseUrl`: another address requires it again. */
    apiKey: text('api_key'),
    /** Its last four characters. */
    apiKeyPreview: text('api_key_preview'),
    /** The models agents may choose, by the provider's names for them. */
    models: jsonb('models').$type<string[]>().notNull(),
    /** What the provider charges for them, where someone has entered it. */
    prices: jsonb('prices').$type<Record<string, ModelPrice>>().notNull().default({}),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('model_provider_of').on(table.organizationId, table.provider), ofOrganization()],
);
