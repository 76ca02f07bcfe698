/** The building block of the contract: a call as data. Nothing here knows about HTTP servers or browsers. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may make a call at all, before any role in an organization is checked. `public`: anyone. `user`: anyone signed
 * in, guests included. `member`: the identity token's `member` claim is true. `chat`: anyone signed in, and an agent's
 * visitors.
 */
export type Access = 'public' | 'chat' | 'user' | 'member';

/** A zod schema, structurally: naming zod's classes here makes every client type four times slower to check. */
export interface AnySchema {
  readonly _zod: { readonly input: unknown; readonly output: unknown };
}

/** An object schema: its keys go into the path, the query or the body. */
export interface AnyObjectSchema extends AnySchema {
  readonly shape: Readonly<Record<string, unknown>>;
}

/** How input outside the path is sent. `multipart` sends one file under the field `media`. */
export type Carrier = 'query' | 'body' | 'multipart';

export interface RateLimit {
  requests: number;
  seconds: number;
}

export interface Route<
  Input extends AnyObjectSchema = AnyObjectSchema,
  Output extends AnySchema = AnySchema,
  Who extends Access = Access,
> {
  readonly method: Method;
  /** With `{name}` for each path parameter, as in OpenAPI. */
  readonly path: string;
  readonly access: Who;
  readonly summary: string;
  readonly carrier: Carrier;
  /** True if the call can also respond with `text/event-stream` (an AI SDK UI message stream). */
  readonly streams: boolean;
  /** True for a public call that accepts a visitor's token; no other public call does. */
  readonly visitors: boolean;
  /** The response's media type if it isn't JSON. */
  readonly produces?: string;
  /** Per client address; unset: no separate limit. */
  readonly limit?: RateLimit;
  /** The largest JSON body; unset: the general limit. A caller allowed a larger body is authenticated before it is read. */
  readonly bodyMaxBytes?: number;
  /** The largest file a `multipart` call accepts. */
  readonly mediaMaxBytes?: number;
  readonly input: Input;
  readonly output: Output;
}

interface RouteDefinition<Input, Output, Who extends Access> {
  method: Method;
  path: string;
  summary: string;
  input: Input;
  output: Output;
  access?: Who;
  carrier?: Carrier;
  streams?: boolean;
  visitors?: boolean;
  produces?: string;
  limit?: RateLimit;
  bodyMaxBytes?: number;
  mediaMaxBytes?: number;
}

/** Declares a call. Access defaults to `member`; input travels in the query of a GET and in the body of all others. */
export function route<Input extends AnyObjectSchema, Output extends AnySchema, Who extends Access = 'member'>(
  definition: RouteDefinition<Input, Output, Who>,
): Route<Input, Output, Who> {
  return {
    streams: false,
    visitors: false,
    carrier: definition.method === 'GET' ? 'query' : 'body',
    ...definition,
    access: definition.access ?? ('member' as Who),
  };
}

/** The names in a path template: `/v1/chat/{id}/message` has `id`. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

/** What a caller passes: fields with a default may be omitted. */
export type InputOf<R> = R extends { input: infer S extends AnySchema } ? S['_zod']['input'] : never;
/** What a handler receives: parsed, defaults filled in. */
export type ParsedInputOf<R> = R extends { input: infer S extends AnySchema } ? S['_zod']['output'] : never;
/** What a handler returns, before the output schema strips it. */
export type ResultOf<R> = R extends { output: infer S extends AnySchema } ? S['_zod']['input'] : never;
/** What a caller gets back. */
export type OutputOf<R> = R extends { output: infer S extends AnySchema } ? S['_zod']['output'] : never;

export type Area = Readonly<Record<string, Route>>;
export type Contract = Readonly<Record<string, Area>>;
