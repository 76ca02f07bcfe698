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
    /** Names of functions that its server lists but that can't be called. */
    leftOut: jsonb('left_out').$type<string[]>().notNull().default([]),
    /** The name of the last function read, if there were more than allowed. */
    cutAfter: text('cut_after'),
    documentUrl: text('document_url'),
    hasDocument: boolean('has_document').notNull().default(false),
    authentication: jsonb('authentication').$type<Authentication>().notNull(),
    hosts: jsonb('hosts').$type<string[]>().notNull().default([]),
    form: jsonb('form').$type<LeadField[]>().notNull().default([]),
    /** Encrypted. Valid only for the addresses in this row: another one requires it again. */
    secret: text('secret'),
    createdAt: createdAt(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [index('tool_agent').on(table.agentId, table.createdAt), ofOrganization()],
);

/** A parameter, with how its value is serialized into a request. */
export interface StoredParameter extends Omit<ToolParameter, 'type' | 'shape'> {
  style: string;
  explode: boolean;
}

/** How to build an operation's request. */
export interface RequestPlan {
  parameters: StoredParameter[];
  /** Null: the request has no body. */
  bodyType: string | null;
  /** Read-only according to the MCP server, so it may be repeated in another answer. */
  onlyReads?: true | undefined;
}

export type JsonSchema = Record<string, unknown>;

export const toolOperation = pgTable(
  'tool_operation',
  {
    toolId: text('tool_id')
      .notNull()
      .references(() => tool.id, { onDelete: 'cascade' }),
    /** The document's name for it. */
    id: text('id').notNull(),
    organizationId: organizationId(),
    position: integer('position').notNull(),
    functionName: text('function_name').notNull(),
    method: text('method').notNull(),
    path: text('path').notNull(),
    summary: text('summary').notNull(),
    /** What the model is told about it. */
    description: text('description').notNull(),
    /** The JSON Schema of its arguments, without external references. */
    inputSchema: jsonb('input_schema').$type<JsonSchema>().notNull(),
    plan: jsonb('plan').$type<RequestPlan>().notNull(),
    enabled: boolean('enabled').notNull().default(false),
    policy: text('policy', { enum: callPolicies }).notNull(),
    /** The response used in dry runs, recorded from an earlier call. */
    fixture: text('fixture'),
  },
  (table) => [primaryKey({ columns: [table.toolId, table.id] }), ofOrganization()],
);

/** One call requested by a model, or tried by a member. */
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
    /** Null for a member's trial. The conversation remembers its calls, even those of a deleted answer. */
    conversationId: text('conversation_id').references(() => conversation.id, { onDelete: 'cascade' }),
    messageId: text('message_id').references(() => message.id, { onDelete: 'set null' }),
    /** The model step it came from, and its position among that step's calls. */
    step: integer('step').notNull(),
    position: integer('position').notNull(),
    /** The provider's id for it, and the metadata it wants back. */
    modelCallId: text('model_call_id').notNull(),
    modelMetadata: jsonb('model_metadata').$type<Record<string, unknown>>(),
    arguments: jsonb('arguments').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: toolCallStates }).notNull(),
    /** What it waits for, or waited for. */
    waitsFor: text('waits_for', { enum: toolCallNeeds }).notNull().default('word'),
    /** Whether the person has allowed it, whatever it has waited for since. */
    agreed: boolean('agreed').notNull().default(false),
    /** Set once it has started: the same call isn't made again in this conversation. */
    onceKey: text('once_key'),
    /** What the model is given of the response. */
    result: text('result'),
    /** The HTTP status. */
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

/** An end user's account at a tool's service. */
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
    /** Encrypted; for the addresses the tool had when they were issued. */
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

/** A person's trip to the service and back, valid once, for the call that waits for it or for the person setting the tool up. */
export const toolLogin = pgTable(
  'tool_login',
  {
    stateHash: text('state_hash').primaryKey(),
    organizationId: organizationId(),
    toolId: text('tool_id')
      .notNull()
      .references(() => tool.id, { onDelete: 'cascade' }),
    /** Null: not for a call. */
    callId: text('call_id').references(() => toolCall.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => user.id, { onDelete: 'cascade' }),
    /** PKCE; worthless without the code, as is the code without it. */
    codeVerifier: text('code_verifier').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    index('tool_login_call').on(table.callId),
    index('tool_login_tool').on(table.toolId),
    ofOrganization(),
  ],
);

/** What an end user has filled in. Deleted with its conversation. */
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
