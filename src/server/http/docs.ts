import { readFile } from 'node:fs/promises';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { complete, components, uniteTwins, type Paths } from './docs-operations.ts';
import { serveErrorDocs } from './error-docs.ts';

const KEYS =
  'An API key of an organization (Account, API keys) manages its agents; the key of an agent (Settings, Share) chats with it.';

/** What applies to every call: the introduction of `/docs`. */
const DESCRIPTION = `Programs send \`Authorization: Bearer …\`. ${KEYS}

Every success is a 200. Every failure is an RFC 9457 problem document with a [stable code](/docs/errors).

Lists take \`count\` and \`cursor\`, which is the \`nextCursor\` of the previous page; it is null at the end. A \`POST\` repeated with the same \`Idempotency-Key\` within a day is carried out once.`;

/**
 * OpenAPI 3.1 from the schemas that validate requests, at `/openapi.json`; rendered at `/docs`, errors at
 * `/docs/errors`. Registered before the routes.
 */
export async function serveDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version,
        description: DESCRIPTION,
      },
      components: {
        ...(components as object),
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: KEYS } },
      },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: completed,
  });
  const icon = await readFile(new URL('../../web/public/icon.svg', import.meta.url));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: 'Parley API' },
    logo: { type: 'image/svg+xml', content: icon },
  });
  serveErrorDocs(app);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()));
}

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = ReturnType<Transform>;

function completed(document: Parameters<Transform>[0]): Document {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  const paths = (openapiObject.paths ?? {}) as Paths;
  for (const path of Object.values(paths)) for (const operation of Object.values(path)) complete(operation);
  uniteTwins(paths);
  return openapiObject;
}
