import * as z from 'zod';
import { name, nextCursor, page, text, Timestamp, WebAddress } from './common.ts';
import { idOf } from './id.ts';
import { LeadForm } from './lead.ts';
import {
  TOOL_BODY_MAX_BYTES,
  TOOL_CALL_TESTS_PER_HOUR_AND_ADDRESS,
  TOOL_DOCUMENT_PASTED_MAX_CHARACTERS,
  TOOL_DOCUMENTS_PER_HOUR_AND_ADDRESS,
  TOOL_LOGINS_PER_HOUR_AND_ADDRESS,
  TOOL_NAME_MAX_CHARACTERS,
  TOOL_OPERATIONS_MAX,
  TOOL_SECRET_MAX_CHARACTERS,
  TOOL_SITES_MAX,
} from './limits.ts';
import { route } from './route.ts';

/** `openapi`: a service by its document. `mcp`: an MCP server over Streamable HTTP. `builtin`: what comes with the installation. */
export const toolKinds = ['openapi', 'mcp', 'builtin'] as const;

/** A paused tool keeps everything, and no model knows about it. */
export const toolStatuses = ['active', 'paused'] as const;

/** Whether the agent may call it: on its own, only with the person's permission each time, or never. */
export const callPolicies = ['allow', 'ask', 'deny'] as const;
export type CallPolicy = (typeof callPolicies)[number];

/**
 * `waiting`: for the person's word. `allowed`: they said yes, not begun. `running`: begun; after the process has died, nobody
 * knows whether it was done. `done`, `failed`: the service has answered, or could not. `denied`: they said no. `repeated`: the
 * same was done before in this conversation, and not again. `refused`: what the model asked for cannot be called. `rehearsed`: a
 * dry run, so it was not made; the model was given what was recorded of an earlier call, if anything was.
 */
export const toolCallStates = [
  'waiting',
  'allowed',
  'running',
  'done',
  'failed',
  'denied',
  'repeated',
  'refused',
  'rehearsed',
] as const;
export type ToolCallState = (typeof toolCallStates)[number];

/** What a call waits for: the person's word, their account at the service, or what they fill in. */
export const toolCallNeeds = ['word', 'account', 'form'] as const;
export type ToolCallNeed = (typeof toolCallNeeds)[number];

const HeaderName = text(100, 1).regex(/^[\w!#$%&'*+.^`|~-]+$/, 'Must be a name without spaces.');
const Secret = text(TOOL_SECRET_MAX_CHARACTERS, 1).regex(
  /^[\u0020-\u007e]+$/,
  'Must contain only letters, digits and symbols, on one line.',
);

/** How the service authenticates us, without the secret, which is never read again. */
export const Authentication = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({
    type: z.literal('apiKey'),
    in: z.enum(['header', 'query', 'cookie']),
    name: HeaderName,
  }),
  /** Some services take a password or token alone. */
  z.strictObject({ type: z.literal('basic'), username: text(200) }),
  z.strictObject({ type: z.literal('bearer') }),
  /** Client credentials. The token is asked for, kept and renewed here. */
  z.strictObject({
    type: z.literal('oauth2'),
    tokenUrl: WebAddress,
    clientId: text(500, 1),
    scope: text(1000).default(''),
  }),
  /**
   * Each end user with an account of their own at the service, which they connect in the conversation: authorization code with
   * PKCE. Without a secret the client is a public one.
   */
  z.strictObject({
    type: z.literal('authorizationCode'),
    authorizationUrl: WebAddress,
    tokenUrl: WebAddress,
    clientId: text(500, 1),
    scope: text(1000).default(''),
    /** What tokens are asked for, where the service tells its resources apart (RFC 8707). */
    resource: WebAddress.optional(),
    /** Where an account that a person ends is taken back (RFC 7009). */
    revocationUrl: WebAddress.optional(),
  }),
]);
export type Authentication = z.infer<typeof Authentication>;

export const parameterPlaces = ['path', 'query', 'header', 'cookie', 'body'] as const;

export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export const ToolParameter = z.object({
  name: z.string(),
  /** The property of the arguments that holds it: the name, where no other parameter has the same. */
  property: z.string(),
  in: z.enum(parameterPlaces),
  required: z.boolean(),
  description: z.string(),
  /** Of JSON Schema; null where it may be of several, or is not said. */
  type: z.enum(parameterTypes).nullable(),
  /** What a value must be like, for people: `{ "item": string, "count"?: integer }`. */
  shape: z.string(),
});
export type ToolParameter = z.infer<typeof ToolParameter>;

/** One thing that a tool can do. */
export const ToolOperation = z.object({
  /** As the document calls it, else made of method and path. */
  id: z.string(),
  /** The name by which models call it. */
  functionName: z.string(),
  /** `POST`; empty for what is no request of HTTP. */
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  parameters: z.array(ToolParameter),
  /** Whether the agent is told of it. */
  enabled: z.boolean(),
  policy: z.enum(callPolicies),
  /** Whether an answer is recorded that dry runs go on with. */
  hasFixture: z.boolean(),
});
export type ToolOperation = z.infer<typeof ToolOperation>;

export const Tool = z.object({
  id: idOf('tool'),
  organizationId: idOf('organization'),
  agentId: idOf('agent'),
  kind: z.enum(toolKinds),
  name: z.string(),
  status: z.enum(toolStatuses),
  /** Where it is called; null until it is known. */
  serverUrl: z.string().nullable(),
  /** Those that the document names. */
  servers: z.array(z.string()),
  /**
   * What an MCP server lists and nobody can call, by name: it is not as the protocol has it, or more than a model can be told. Of a
   * document, by id: it takes a file, goes to another server, or is more than a model can be told.
   */
  leftOut: z.array(z.string()),
  /** The last that was taken where an MCP server lists more than there may be, empty for one without a name; null where all were. */
  cutAfter: z.string().nullable(),
  /** Where the document was read; null for one that was pasted. */
  documentUrl: z.string().nullable(),
  /** Whether a document was read; only of a service. */
  hasDocument: z.boolean(),
  authentication: Authentication,
  /** The sites whose pages a built-in tool may read. */
  hosts: z.array(z.string()),
  /** What a built-in tool asks for when it collects a lead. */
  form: LeadForm,
  /** All that is shown of its secret. */
  hasSecret: z.boolean(),
  /** What the agent is told of. */
  enabledOperations: z.number().int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Tool = z.infer<typeof Tool>;

/** One call, as members see it. Secrets are masked. */
export const ToolCallEntry = z.object({
  id: idOf('toolCall'),
  operationId: z.string(),
  summary: z.string(),
  state: z.enum(toolCallStates),
  /** Of HTTP; null where nothing was answered. */
  status: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  arguments: z.record(z.string(), z.unknown()),
  /** What the model was given. */
  result: z.string().nullable(),
  /** Null for a trial of a member. */
  conversationId: idOf('conversation').nullable(),
  messageId: idOf('message').nullable(),
  createdAt: Timestamp,
});
export type ToolCallEntry = z.infer<typeof ToolCallEntry>;

/** The caller's own account at the service of a tool. */
export const ToolAccount = z.object({
  id: idOf('toolAccount'),
  agentId: idOf('agent'),
  agentName: z.string(),
  /** The name of the tool. */
  tool: z.string(),
  /** The host at which the person signed in. */
  service: z.string(),
  createdAt: Timestamp,
});
export type ToolAccount = z.infer<typeof ToolAccount>;

/** `example.com`, or `*.example.com` for all sites below it; with a port where it is not the usual one. */
export const ToolSite = text(260, 1)
  .toLowerCase()
  .regex(/^(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/, 'Must be a site like example.com.');

/** An OpenAPI 3.0 or 3.1 document in JSON or YAML: its text, where it is read, or the document itself. */
const ToolDocument = z.union(
  [
    z.strictObject({ text: text(TOOL_DOCUMENT_PASTED_MAX_CHARACTERS, 1) }),
    z.strictObject({ url: WebAddress }),
    text(TOOL_DOCUMENT_PASTED_MAX_CHARACTERS, 1).transform((written) => ({ text: written })),
    z.looseObject({ openapi: z.string() }).transform((document) => ({ text: JSON.stringify(document) })),
  ],
  { error: 'Must be an OpenAPI document or its address.' },
);

const ofTool = z.strictObject({ id: idOf('tool') });
const One = z.object({ tool: Tool, operations: z.array(ToolOperation) });
const documents = { requests: TOOL_DOCUMENTS_PER_HOUR_AND_ADDRESS, seconds: 3600 };

export const tool = {
  list: route({
    method: 'GET',
    path: '/v1/platform/tool',
    summary: "An agent's tools, oldest first",
    input: z.strictObject({ agentId: idOf('agent') }),
    output: z.object({ tools: z.array(Tool) }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/platform/tool/{id}',
    summary: 'Read a tool and its operations',
    input: ofTool,
    output: One,
  }),
  create: route({
    method: 'POST',
    path: '/v1/platform/tool',
    summary: 'Add a tool to an agent',
    input: z.strictObject({
      organizationId: idOf('organization'),
      agentId: idOf('agent'),
      kind: z.enum(toolKinds).default('openapi'),
      name: name(TOOL_NAME_MAX_CHARACTERS).default('New tool'),
    }),
    output: One,
  }),
  /**
   * Takes what is given. With `schema` the document is read anew: what is known of an operation by its id stays, the rest is
   * off until it is chosen. The first document of a tool that has no authentication yet also says which, as far as it is an API key, a
   * password or a token. A secret is only good for the addresses that it was given for: with another `serverUrl`,
   * `tokenUrl` or kind of authentication it is needed again (400). An MCP server has no `schema`: it is asked what it offers
   * whenever `serverUrl` is given, also the same again; where each person signs in, with the account of the caller, if there is
   * one.
   */
  update: route({
    method: 'PUT',
    path: '/v1/platform/tool/{id}',
    summary: 'Change a tool',
    limit: documents,
    bodyMaxBytes: TOOL_BODY_MAX_BYTES,
    input: z.strictObject({
      id: idOf('tool'),
      name: name(TOOL_NAME_MAX_CHARACTERS).optional(),
      status: z.enum(toolStatuses).optional(),
      schema: ToolDocument.optional(),
      serverUrl: WebAddress.optional(),
      authentication: Authentication.optional(),
      hosts: z.array(ToolSite).max(TOOL_SITES_MAX).optional(),
      form: LeadForm.optional(),
      /** The key, password, token or client secret. */
      secret: Secret.optional(),
      operations: z
        .array(
          z.strictObject({
            id: text(500, 1),
            enabled: z.boolean().optional(),
            policy: z.enum(callPolicies).optional(),
            /** A call of it that was done: dry runs are answered with its result from now on. Null: with nothing. */
            fixture: idOf('toolCall').nullable().optional(),
          }),
        )
        .max(TOOL_OPERATIONS_MAX)
        .optional(),
    }),
    output: One,
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/platform/tool/{id}',
    summary: 'Remove a tool from its agent',
    input: ofTool,
    output: z.object({ deleted: z.literal(true) }),
  }),
  /** Calls the service, whatever the policy. Errors of the service are not errors of this call. */
  test: route({
    method: 'POST',
    path: '/v1/platform/tool/{id}/test',
    summary: 'Try an operation of a tool',
    limit: { requests: TOOL_CALL_TESTS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({
      id: idOf('tool'),
      operationId: text(500, 1),
      arguments: z.record(z.string(), z.unknown()).default({}),
    }),
    output: z.object({
      state: z.enum(toolCallStates),
      status: z.number().int().nullable(),
      durationMs: z.number().int(),
      /** As it was sent, with a mask for what is secret; null where nothing was. */
      request: z
        .object({
          method: z.string(),
          url: z.string(),
          headers: z.record(z.string(), z.string()),
          body: z.string().nullable(),
        })
        .nullable(),
      response: z.string(),
    }),
  }),
  listCalls: route({
    method: 'GET',
    path: '/v1/platform/tool/{id}/call',
    summary: "A tool's calls, newest first",
    input: z.strictObject({ id: idOf('tool'), cursor: page.cursor, count: page.count }),
    output: z.object({ calls: z.array(ToolCallEntry), nextCursor }),
  }),
};

const logins = { requests: TOOL_LOGINS_PER_HOUR_AND_ADDRESS, seconds: 3600 };

/** How each person signs in at a tool, as far as the member who sets it up has a part in it. */
export const toolSignIn = {
  /**
   * Asks an MCP server where people sign in (RFC 9728, RFC 8414), and registers a client there unless one is given (RFC 7591).
   * The tool has that authentication from now on. Errors: 400 for a server that asks nobody to sign in; `egress/failed` for
   * one that does it in another way.
   */
  find: route({
    method: 'POST',
    path: '/v1/platform/tool/{id}/sign-in',
    summary: "Detect an MCP server's sign-in settings",
    limit: logins,
    input: z.strictObject({
      id: idOf('tool'),
      serverUrl: WebAddress,
      clientId: text(500, 1).optional(),
      /** Of the client that is given. */
      secret: Secret.optional(),
    }),
    output: One,
  }),
  /** The address at which the caller agrees, as in `chat.connectAccount`. Null: their account is there already. */
  connect: route({
    method: 'POST',
    path: '/v1/platform/tool/{id}/connect',
    summary: 'Start to connect my own account to a tool',
    limit: logins,
    input: ofTool,
    output: z.object({ url: z.string().nullable() }),
  }),
  /** With the account an MCP server is asked what it offers. Errors: as `chat.accountConnected`. */
  connected: route({
    method: 'POST',
    path: '/v1/platform/tool/{id}/connected',
    summary: 'Connect my own account to a tool',
    limit: logins,
    input: z.strictObject({ id: idOf('tool'), state: text(200, 1), code: text(4000, 1) }),
    output: One,
  }),
};

/** What end users have connected, wherever: theirs alone to see and to end. */
export const toolAccount = {
  list: route({
    method: 'GET',
    path: '/v1/tool-account',
    summary: 'My accounts at services that agents use for me, newest first',
    access: 'chat',
    input: z.strictObject({}),
    output: z.object({ accounts: z.array(ToolAccount) }),
  }),
  remove: route({
    method: 'DELETE',
    path: '/v1/tool-account/{id}',
    summary: 'Disconnect an account',
    access: 'chat',
    input: z.strictObject({ id: idOf('toolAccount') }),
    output: z.object({ deleted: z.literal(true) }),
  }),
};
