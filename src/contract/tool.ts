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

/**
 * `openapi`: a service described by its document. `mcp`: an MCP server over Streamable HTTP. `builtin`: included with
 * the installation.
 */
export const toolKinds = ['openapi', 'mcp', 'builtin'] as const;

/** A paused tool keeps everything, but no model knows about it. */
export const toolStatuses = ['active', 'paused'] as const;

/** Whether the agent may call it: on its own, only with the person's permission each time, or never. */
export const callPolicies = ['allow', 'ask', 'deny'] as const;
export type CallPolicy = (typeof callPolicies)[number];

/**
 * `waiting`: for the person's decision. `allowed`: they agreed; not started. `running`: started; if the process has
 * died, nobody knows whether it was carried out. `done`, `failed`: the service has answered, or couldn't. `denied`:
 * they declined. `repeated`: the same call was already made in this conversation, so it isn't made again. `refused`:
 * the model asked for something that can't be called. `rehearsed`: a dry run, so the call wasn't made; the model was
 * given the recording of an earlier call, if there is one.
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

/** What a call waits for: the person's decision, their account at the service, or a form they fill in. */
export const toolCallNeeds = ['word', 'account', 'form'] as const;
export type ToolCallNeed = (typeof toolCallNeeds)[number];

const HeaderName = text(100, 1).regex(/^[\w!#$%&'*+.^`|~-]+$/, 'Must be a name without spaces.');
const Secret = text(TOOL_SECRET_MAX_CHARACTERS, 1).regex(
  /^[\u0020-\u007e]+$/,
  'Must contain only letters, digits and symbols, on one line.',
);

/** How we authenticate to the service, without the secret, which is never read back. */
export const Authentication = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({
    type: z.literal('apiKey'),
    in: z.enum(['header', 'query', 'cookie']),
    name: HeaderName,
  }),
  /** Some services take only a password or token. */
  z.strictObject({ type: z.literal('basic'), username: text(200) }),
  z.strictObject({ type: z.literal('bearer') }),
  /** Client credentials. The token is requested, stored and renewed here. */
  z.strictObject({
    type: z.literal('oauth2'),
    tokenUrl: WebAddress,
    clientId: text(500, 1),
    scope: text(1000).default(''),
  }),
  /**
   * Each end user has their own account at the service, connected in the conversation: authorization code with PKCE.
   * Without a secret the client is a public one.
   */
  z.strictObject({
    type: z.literal('authorizationCode'),
    authorizationUrl: WebAddress,
    tokenUrl: WebAddress,
    clientId: text(500, 1),
    scope: text(1000).default(''),
    /** What tokens are requested for, if the service distinguishes its resources (RFC 8707). */
    resource: WebAddress.optional(),
    /** Where a person's account is revoked when they disconnect it (RFC 7009). */
    revocationUrl: WebAddress.optional(),
  }),
]);
export type Authentication = z.infer<typeof Authentication>;

export const parameterPlaces = ['path', 'query', 'header', 'cookie', 'body'] as const;

export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;

export const ToolParameter = z.object({
  name: z.string(),
  /** The property of the arguments that holds it: its name, unless another parameter has the same one. */
  property: z.string(),
  in: z.enum(parameterPlaces),
  required: z.boolean(),
  description: z.string(),
  /** The JSON Schema type; null if there may be several, or none is given. */
  type: z.enum(parameterTypes).nullable(),
  /** A human-readable description of the value: `{ "item": string, "count"?: integer }`. */
  shape: z.string(),
});
export type ToolParameter = z.infer<typeof ToolParameter>;

/** One thing that a tool can do. */
export const ToolOperation = z.object({
  /** The document's name for it, or else derived from method and path. */
  id: z.string(),
  /** The name models call it by. */
  functionName: z.string(),
  /** `POST`; empty if it isn't an HTTP request. */
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  parameters: z.array(ToolParameter),
  /** Whether the agent is told about it. */
  enabled: z.boolean(),
  policy: z.enum(callPolicies),
  /** Whether a recorded answer exists for dry runs to use. */
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
  /** Where it is called; null until known. */
  serverUrl: z.string().nullable(),
  /** The ones the document lists. */
  servers: z.array(z.string()),
  /**
   * Functions an MCP server lists that can't be called, by name: they violate the protocol or exceed what a model can
   * be told. For a document, operations by id: they take a file, go to another server, or exceed what a model can be
   * told.
   */
  leftOut: z.array(z.string()),
  /** If an MCP server lists more functions than allowed, the last one taken, empty if it has no name; null if all were taken. */
  cutAfter: z.string().nullable(),
  /** Where the document was read from; null if it was pasted. */
  documentUrl: z.string().nullable(),
  /** Whether a document was read; only for a service. */
  hasDocument: z.boolean(),
  authentication: Authentication,
  /** The sites whose pages a built-in tool may read. */
  hosts: z.array(z.string()),
  /** What a built-in tool asks for when it collects a lead. */
  form: LeadForm,
  /** All that is ever shown of its secret. */
  hasSecret: z.boolean(),
  /** The ones the agent is told about. */
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
  /** The HTTP status; null if there was no response. */
  status: z.number().int().nullable(),
  durationMs: z.number().int().nullable(),
  arguments: z.record(z.string(), z.unknown()),
  /** What the model was given. */
  result: z.string().nullable(),
  /** Null for a member's trial call. */
  conversationId: idOf('conversation').nullable(),
  messageId: idOf('message').nullable(),
  createdAt: Timestamp,
});
export type ToolCallEntry = z.infer<typeof ToolCallEntry>;

/** The caller's own account at a tool's service. */
export const ToolAccount = z.object({
  id: idOf('toolAccount'),
  agentId: idOf('agent'),
  agentName: z.string(),
  /** The tool's name. */
  tool: z.string(),
  /** The host where the person signed in. */
  service: z.string(),
  createdAt: Timestamp,
});
export type ToolAccount = z.infer<typeof ToolAccount>;

/** `example.com`, or `*.example.com` for all sites below it; with a port if it isn't the default one. */
export const ToolSite = text(260, 1)
  .toLowerCase()
  .regex(/^(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?$/, 'Must be a site like example.com.');

/** An OpenAPI 3.0 or 3.1 document in JSON or YAML: its text, its address, or the document itself. */
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
   * Changes the given fields. With `schema` the document is reread: operations keep their settings by id, and all
   * others are off until enabled. If the tool has no authentication yet, its first document also determines that,
   * provided it is an API key, a password or a token. A secret is only valid for the addresses it was given for: with
   * another `serverUrl`, `tokenUrl` or kind of authentication it must be given again (400). An MCP server has no
   * `schema`: it is asked what it offers whenever `serverUrl` is given, even unchanged; if each person signs in, with
   * the caller's account, if there is one.
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
            /** A completed call of it: dry runs now return its result. Null: they return nothing. */
            fixture: idOf('toolCall').nullable().optional(),
          }),
        )
        .max(TOOL_OPERATIONS_MAX)
        .optional(),
      /** With it, saving over what someone else has since saved in the same field is a 409; `now` in its `errors` holds it. */
      seen: Tool.pick({ authentication: true, hosts: true, form: true })
        .extend({ serverUrl: WebAddress.nullable() })
        .partial()
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
  /** Calls the service, whatever the policy. The service's errors aren't errors of this call. */
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
      /** As sent, with secrets masked; null if nothing was sent. */
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

/** How each person signs in to a tool, as far as it concerns the member who sets it up. */
export const toolSignIn = {
  /**
   * Asks an MCP server where people sign in (RFC 9728, RFC 8414), and registers a client there unless one is given (RFC
   * 7591). The tool then uses that authentication. Errors: 400 for a server that doesn't require signing in;
   * `egress/failed` for one that does it in another way.
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
      /** For the given client. */
      secret: Secret.optional(),
    }),
    output: One,
  }),
  /** The address where the caller gives consent, as in `chat.connectAccount`. Null: their account is already connected. */
  connect: route({
    method: 'POST',
    path: '/v1/platform/tool/{id}/connect',
    summary: 'Start to connect my own account to a tool',
    limit: logins,
    input: ofTool,
    output: z.object({ url: z.string().nullable() }),
  }),
  /** Uses the account to ask an MCP server what it offers. Errors: as for `chat.accountConnected`. */
  connected: route({
    method: 'POST',
    path: '/v1/platform/tool/{id}/connected',
    summary: 'Connect my own account to a tool',
    limit: logins,
    input: z.strictObject({ id: idOf('tool'), state: text(200, 1), code: text(4000, 1) }),
    output: One,
  }),
};

/** The accounts end users have connected, wherever that was; only they can see and disconnect them. */
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
