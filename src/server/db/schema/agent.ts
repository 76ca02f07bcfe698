import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Appearance } from '../../../contract/appearance.ts';
import type { ModelSettings } from '../../../contract/chatbot.ts';
import type { Disclosure } from '../../../contract/disclosure.ts';
import { createdAt, moment, ofOrganization, organizationId } from './columns.ts';
import { organization } from './organization.ts';

export const agent = pgTable(
  'agent',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId().references(() => organization.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    handle: text('handle').notNull(),
    website: text('website'),
    profilePhoto: text('profile_photo').notNull(),
    customInstructions: text('custom_instructions').notNull().default(''),
    enableKnowledgeBaseMode: boolean('enable_knowledge_base_mode').notNull().default(false),
    appearance: jsonb('appearance').$type<Appearance>().notNull(),
    voiceEnabled: boolean('voice_enabled').notNull().default(false),
    isPublic: boolean('is_public').notNull().default(true),
    offersPerson: boolean('offers_person').notNull().default(true),
    conversationStarters: jsonb('conversation_starters').$type<string[]>().notNull(),
    welcomeMessage: text('welcome_message').notNull().default(''),
    fallbackMessage: text('fallback_message').notNull().default(''),
    disclosure: jsonb('disclosure').$type<Disclosure>().notNull().default({ isOn: true, texts: {} }),
    language: text('language'),
    modelSettings: jsonb('model_settings').$type<ModelSettings>().notNull(),
    /** The sites that may embed it, in the form browsers use for origins; none: all. */
    allowedOrigins: jsonb('allowed_origins').$type<string[]>().notNull().default([]),
    /** The number of the draft. This row holds what is live; the draft is in `agent_version`. */
    version: integer('version').notNull().default(1),
    /** Null until a version is first published: until then the draft is live. */
    liveVersion: integer('live_version'),
    /** Chatting requires having bought one of its products. Maintained by `product/store.ts`. */
    sells: boolean('sells').notNull().default(false),
    /** How long conversations are kept after their last message; null: forever. */
    retentionDays: integer('retention_days'),
    deletedAt: moment('deleted_at'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('agent_organization').on(table.organizationId, table.createdAt),
    uniqueIndex('agent_handle').on(table.handle),
    ofOrganization(),
  ],
);
