import { readFile } from 'node:fs/promises';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { serveErrorDocs } from './error-docs.ts';

/**
 * OpenAPI 3.1 from the schemas that validate requests, at `/openapi.json`; shown at `/docs`, failures at `/docs/errors`. Registered
 * before the routes.
 */
export async function serveDocs(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley',
        version,
        description:
          'Every success is a 200. Every failure is an RFC 9457 problem document with a stable code.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: (document) => withOptionalBodies(document),
  });
  const icon = await readFile(new URL('../../web/public/icon.svg', import.meta.url));
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    logo: { type: 'image/svg+xml', content: icon },
  });
  serveErrorDocs(app);
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()));
}

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type Document = ReturnType<Transform>;

/** A body none of whose fields has to be given need not be sent at all. */
function withOptionalBodies(document: Parameters<Transform>[0]): Document {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const path of Object.values(openapiObject.paths ?? {}))
    for (const { requestBody } of Object.values(path ?? {}) as { requestBody?: Body }[])
      if (requestBody && Object.values(requestBody.content).every(isAllOptional))
        requestBody.required = false;
  return openapiObject;
}

interface Body {
  content: Record<string, { schema?: { type?: string; required?: string[] } }>;
  required?: boolean;
}

function isAllOptional({ schema }: Body['content'][string]): boolean {
  return schema?.type === 'object' && !schema.required?.length;
}
