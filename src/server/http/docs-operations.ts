import { contract } from '../../contract/index.ts';
import { errorTable } from '../../contract/errors.ts';
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../contract/limits.ts';
import type { Route } from '../../contract/route.ts';
import { PROBLEM } from './problems.ts';

/** The parts of an operation used here. */
interface Operation {
  operationId?: string;
  parameters?: ({ in: string; name: string } | { $ref: string })[];
  requestBody?: Body;
  responses: Record<string, { content?: Record<string, object> } | { $ref: string }>;
}

interface Body {
  content: Record<string, { schema?: { type?: string; required?: string[]; [more: string]: unknown } }>;
  required?: boolean;
}

export type Paths = Record<string, Record<string, Operation>>;

/** The components operations refer to. */
export const components = {
  schemas: {
    Problem: {
      type: 'object',
      description: 'What went wrong (RFC 9457).',
      required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
      properties: {
        type: { type: 'string', format: 'uri-reference', description: 'Where the code is explained.' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string' },
        code: {
          type: 'string',
          enum: Object.keys(errorTable),
          description: 'Stable: clients can rely on it.',
        },
        errors: {
          type: 'array',
          description: 'Each field that is not valid, or that has changed in the meantime.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string' },
              message: { type: 'string' },
              now: { description: 'For a 409: the current value.' },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
    AnswerEvents: {
      type: 'string',
      description:
        'An AI SDK UI message stream: server-sent events, each with one part as JSON, and `[DONE]` at the end. Asked for by `Accept: text/event-stream`. `GET /v1/chat/{id}/stream` follows the same answer again.',
    },
  },
  parameters: {
    IdempotencyKey: {
      in: 'header',
      name: 'Idempotency-Key',
      required: false,
      description:
        'Any string chosen by the client. The same request with the same key is carried out once within 24 hours and gets the same response.',
      schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS },
    },
  },
  responses: {
    Problem: {
      description: 'Every failure.',
      headers: {
        'Retry-After': {
          description: 'For 429 and 503: how many seconds to wait before trying again.',
          schema: { type: 'integer' },
        },
      },
      content: { [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
};

const routes = new Map<string, Route>(
  Object.entries(contract).flatMap(([area, calls]) =>
    Object.entries(calls as Record<string, Route>).map(
      ([name, route]) => [`${area}.${name}`, route] as const,
    ),
  ),
);

/** Adds what an operation's schemas don't say: how it fails, that it can be retried, its file, its stream. */
export function complete(operation: Operation): void {
  const { requestBody, responses } = operation;
  const route = routes.get(operation.operationId ?? '');
  responses['default'] ??= { $ref: '#/components/responses/Problem' };
  // A body without required fields can be omitted altogether.
  if (requestBody && Object.values(requestBody.content).every(isAllOptional)) requestBody.required = false;
  if (!route) return;
  if (route.method === 'POST' && route.carrier !== 'query' && route.access !== 'public')
    operation.parameters = [
      ...(operation.parameters ?? []),
      { $ref: '#/components/parameters/IdempotencyKey' },
    ];
  if (route.carrier === 'multipart') operation.requestBody = bodyOfFile;
  const { 200: success } = responses;
  if (route.streams && success && 'content' in success)
    success.content = {
      ...success.content,
      'text/event-stream': { schema: { $ref: '#/components/schemas/AnswerEvents' } },
    };
}

const bodyOfFile: Body = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['media'],
        properties: { media: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    },
  },
};

function isAllOptional({ schema }: Body['content'][string]): boolean {
  return schema?.type === 'object' && !schema.required?.length;
}

/** Paths that differ only in the names of their parameters are one path to OpenAPI: they take the names of the first. */
export function uniteTwins(paths: Paths): void {
  const firsts = new Map<string, string>();
  for (const [path, operations] of Object.entries(paths)) {
    const shape = path.replaceAll(/\{\w+\}/g, '{}');
    const first = firsts.get(shape);
    if (first === undefined) {
      firsts.set(shape, path);
      continue;
    }
    const names = namesIn(path);
    for (const parameter of Object.values(operations).flatMap(({ parameters = [] }) => parameters))
      if ('in' in parameter && parameter.in === 'path')
        parameter.name = namesIn(first)[names.indexOf(parameter.name)] ?? parameter.name;
    Object.assign(paths[first] ?? {}, operations);
    delete paths[path];
  }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}
