import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProduct, type Product } from './product.ts';
import { specifiedCalls } from './specified-calls.ts';

let product: Product;
let document: {
  openapi: string;
  components: { schemas: { Problem: { properties: { code: { enum: string[] } } } } };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        tags: string[];
        parameters?: { in?: string; name?: string }[];
        responses: Record<string, unknown>;
        requestBody?: { required?: boolean };
      }
    >
  >;
};

beforeAll(async () => {
  product = await startProduct();
  document = (await (await fetch(`${product.url}/openapi.json`)).json()) as typeof document;
});
afterAll(() => product.close());

function calls(): string[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

test('the API page has its title', async () => {
  expect(await (await fetch(`${product.url}/docs`)).text()).toContain('<title>Parley API</title>');
});

test('docs/openapi.json matches the server’s document (npm run openapi writes it)', async () => {
  expect(document.openapi).toBe('3.1.0');
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../docs/openapi.json');
});

test('a body is required if one of its fields is', () => {
  const bodyOf = (path: string, method: string) => document.paths[path]?.[method]?.requestBody;
  expect(bodyOf('/v1/identity/guest', 'post')).toMatchObject({ required: false });
  expect(bodyOf('/v1/identity/email-link', 'post')).toMatchObject({ required: true });
});

test('every success is a 200, every failure a problem document', () => {
  for (const methods of Object.values(document.paths)) {
    for (const { responses, tags } of Object.values(methods)) {
      expect(Object.keys(responses)).toEqual(['200', 'default']);
      if (!tags.includes('programs'))
        expect(responses['default']).toEqual({ $ref: '#/components/responses/Problem' });
    }
  }
});

test('every documented error code occurs in the server', async () => {
  const { enum: codes } = document.components.schemas.Problem.properties.code;
  const files = (await readdir('src/server', { recursive: true })).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const sources = await Promise.all(files.map((file) => readFile(path.join('src/server', file), 'utf8')));
  const said = sources.join('\n');
  expect(codes.filter((code) => !said.includes(`'${code}'`))).toEqual([]);
});

test("the calls of OpenAI's protocol are documented with its errors and its stream", async () => {
  const completions = document.paths['/v1/agents/{id}/chat/completions']?.['post']?.responses;
  const models = document.paths['/v1/agents/{id}/models']?.['get']?.responses;
  expect(completions?.['200']).toHaveProperty(['content', 'text/event-stream']);
  const refused = await fetch(`${product.url}/v1/agents/agt_none/models`);
  expect(refused.status).toBe(401);
  const [type = ''] = refused.headers.get('content-type')?.split(';') ?? [];
  const { error } = (await refused.json()) as { error: object };
  for (const responses of [completions, models])
    expect(responses?.['default']).toHaveProperty(
      ['content', type, 'schema', 'properties', 'error', 'required'],
      Object.keys(error),
    );
});

test('idempotency keys, files and streams are documented where they apply', () => {
  const operation = (path: string, method: string) => JSON.stringify(document.paths[path]?.[method]);
  const key = '#/components/parameters/IdempotencyKey';
  expect(operation('/v1/chat/{id}/message', 'post')).toContain(key);
  expect(operation('/v1/chat/{id}/message', 'post')).toContain('"text/event-stream"');
  expect(operation('/v1/chat/{id}/message', 'get')).not.toContain(key);
  expect(operation('/v1/identity/guest', 'post')).not.toContain(key);
  expect(operation('/v1/chat/{id}/transcription', 'post')).toContain('"multipart/form-data"');
});

test('no two paths differ only in the names of their parameters, and each names its own', () => {
  const paths = Object.keys(document.paths);
  expect(new Set(paths.map((path) => path.replace(/\{\w+\}/g, '{}'))).size).toBe(paths.length);
  for (const [path, methods] of Object.entries(document.paths))
    for (const { parameters = [] } of Object.values(methods)) {
      const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`);
      expect(named.toSorted()).toEqual((path.match(/\{\w+\}/g) ?? []).toSorted());
    }
});

test('every call in the specification exists', () => {
  const shape = (call: string): string => call.replace(/\{\w+\}/g, '{}');
  const ours = new Set(calls().map(shape));
  const missing = specifiedCalls.filter(
    (call) => !ours.has(shape(`${call.split(' ')[0]} /v1${call.split(' ')[1]}`)),
  );
  expect(missing).toEqual([]);
});
