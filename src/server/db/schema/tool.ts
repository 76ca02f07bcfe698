import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import {
  callPolicies,
  toolCallNeeds,
  toolCallStates,
  toolKinds,
  toolStatuses,
  type Authentication,
  type ToolParameter,
} from '../../../contract/tool.ts';
import type { Lead, LeadField } from '../../../contract/lead.ts';
import { agent } from './agent.ts';
import { conversation, message } from './chat.ts';
import { createdAt, moment, ofOrganization, organizationId, ownRows } from './columns.ts';
import { user } from './identity.ts';

/** Something that an agent can call. */
export const tool = pgTable(
  'tool',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: toolKinds }).notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: toolStatuses }).notNull().default('active'),
    serverUrl: text('server_url'),
    servers: jsonb('servers').$type<string[]>().notNull().default([]),
    /** Names of what its server lists and nobody can call. */
    leftOut: jsonb('left_out').$type<string[]>().notNull().default([]),
    /** The name of the last that was read of more than there may be. */
    cutAfter: text('cut_after'),
    documentUrl: text('document_url'),
    hasDocument: boolean('has_document').notNull().default(false),
    authentication: jsonb('authentication').$type<Authentication>().notNull(),
    hosts: jsonb('hosts').$type<string[]>().notNull().default([]),
    form: jsonb('form').$type<LeadField[]>().notNull().default([]),
    /** Encrypted. Valid for the addresses of this row alone: with another one it is asked for again. */
    secret: text('secret'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('tool_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** A parameter with how its value is written into a request. */
export interface StoredParameter extends Omit<ToolParameter, 'type' | 'shape'> {
  style: string;
  explode: boolean;
}

/** What the request of an operation is made of. */
export interface RequestPlan {
  parameters: StoredParameter[];
  /** Null: the request has no body. */
  bodyType: string | null;
  /** As the MCP server says of it, so that it may be asked again in another answer. */
  onlyReads?: true | undefined;
}

export type JsonSchema = Record<string, unknown>;

export const toolOperation = pgTable(
  'tool_operation',
  {
    toolId: text('tool_id')
      .notNull()
      .references(() => tool.id, { onDelete: 'cascade' }),
    /** As the document calls it. */
    id: text('id').notNull(),
    organizationId: organizationId(),
    position: integer('position').notNull(),
    functionName: text('function_name').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    summary: text('summary').notNull(),
    /** What the model is told of it. */
    description: text('description').notNull(),
    /** The JSON schema of its arguments, which refers to nothing outside itself. */
    inputSchema: jsonb('input_schema').$type<JsonSchema>().notNull(),
    plan: jsonb('plan').$type<RequestPlan>().notNull(),
    enabled: boolean('enabled').notNull().default(false),
    policy: text('policy', { enum: callPolicies }).notNull(),
    /** What a dry run is answered with, as a call was answered once. */
    fixture: text('fixture'),
  },
  (table) => [primaryKey({ columns: [table.toolId, table.id] }), ofOrganization()],
);

/** One call that a model asked for, or that a member tried. */
export const toolCall = pgTable(
  'tool_call',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tool.id, { onDelete: 'cascade' }),
    operationId: text('operation_id').notNull(),
    functionName: text('function_name').notNull(),
    summary: text('summary').notNull(),
    /** Null for a trial of a member. The conversation remembers what it has called, also of an answer that is gone. */
    conversationId: text('conversation_id').references(() => conversation.id, { onDelete: 'cascade' }),
    messageId: text('message_id').references(() => message.id, { onDelete: 'set null' }),
    /** Which asking of the model it came from, and which of that one's calls it is. */
    step: integer('step').notNull(),
    position: integer('position').notNull(),
    /** As the provider calls it, and what it wants back with it. */
    modelCallId: text('model_call_id').notNull(),
    modelMetadata: jsonb('model_metadata').$type<Record<string, unknown>>(),
    arguments: jsonb('arguments').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: toolCallStates }).notNull(),
    /** What it waits for, or has waited for. */
    waitsFor: text('waits_for', { enum: toolCallNeeds }).notNull().default('word'),
    /** Whether the person has allowed it, whatever it waits for since. */
    agreed: boolean('agreed').notNull().default(false),
    /** Set once it has begun: the same again in this conversation is not done. */
    onceKey: text('once_key'),
    /** What the model is given of the answer. */
    result: text('result'),
    /** Of HTTP. */
    status: integer('status'),
    durationMs: integer('duration_ms'),
    createdAt: createdAt(),
  },
  (table) => [
    index('tool_call_tool').on(table.toolId, table.createdAt),
    index('tool_call_message').on(table.messageId),
    uniqueIndex('tool_call_once')
      .on(table.conversationId, table.onceKey)
      .where(sql`once_key is not null`),
    ofOrganization(),
  ],
);

/** An end user's account at the service of a tool. */
export const toolAccount = pgTable(
  'tool_account',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tool.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** Encrypted, for the addresses that the tool had when they were given. */
    tokens: text('tokens').notNull(),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('tool_account_person').on(table.toolId, table.userId),
    index('tool_account_user').on(table.userId),
    ofOrganization(),
    ownRows(),
  ],
);

/** A person's way to the service and back, good once and for the call that waits for it, or for who sets the tool up. */
export const toolLogin = pgTable(
  'tool_login',
  {
    stateHash: text('state_hash').primaryKey(),
    organizationId: organizationId(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tool.id, { onDelete: 'cascade' }),
    /** Null: for no call. */
    callId: text('call_id').references(() => toolCall.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** PKCE; worth nothing without the code, and the code nothing without it. */
    codeVerifier: text('code_verifier').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('tool_login_call').on(table.callId),
    index('tool_login_tool').on(table.toolId),
    ofOrganization(),
  ],
);

/** What an end user has filled in. It goes with its conversation. */
export const lead = pgTable(
  'lead',
  {
    id: text('id').primaryKey(),
    organizationId: organizationId(),
    agentId: text('agent_id')
      .notNull()
      .references(() => agent.id, { onDelete: 'cascade' }),
    conversationId: text('conversation_id')
      .notNull()
      .references(() => conversation.id, { onDelete: 'cascade' }),
    values: jsonb('values').$type<Lead['values']>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('lead_agent').on(table.agentId, table.id),
    index('lead_conversation').on(table.conversationId),
    ofOrganization(),
  ],
);
