import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ToolOperation } from '../../../contract/tool.ts';
import { startOpenApiService, type OpenApiService } from '../../../../test/stand-ins/openapi-service.ts';
import { startProduct, type Product } from '../../../../test/product.ts';

/** Documents published by services, taken from their npm packages and served here; and a service that accepts their calls. */
const documents: [name: string, file: string][] = [
  ['Petstore', '@readme/oas-examples/3.0/json/petstore.json'],
  ['Star Trek', '@readme/oas-examples/3.0/json/star-trek.json'],
  ['ReadMe', '@readme/oas-examples/3.1/json/readme.json'],
  ['ReadMe as YAML', '@readme/oas-examples/3.1/yaml/readme.yaml'],
  ['Train travel', '@readme/oas-examples/3.1/json/train-travel.json'],
  ['Figma', '@figma/rest-api-spec/openapi/openapi.yaml'],
  ['Scalar Galaxy', '@scalar/galaxy/dist/3.1.yaml'],
];

const modules = path.join(import.meta.dirname, '../../../../node_modules');

let product: Product;
let service: OpenApiService;
let files: { url: string; host: string; close: () => Promise<void> };
let organizationId: string;
beforeAll(async () => {
  service = await startOpenApiService();
  files = await startFiles();
  product = await startProduct({ ssrfAllowedHosts: [service.host, files.host] });
  organizationId = (await product.as('ada').organization.create({ name: 'Acme' })).organization.id;
});
afterAll(async () => {
  await product.close();
  await service.close();
  await files.close();
});

async function startFiles(): Promise<typeof files> {
  const server = createServer((request, response) => {
    readFile(path.join(modules, request.url ?? '')).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** As the file has them. */
async function countOperations(file: string): Promise<number> {
  const { paths } = parse(await readFile(path.join(modules, file), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.values(paths).flatMap((item) => Object.keys(item).filter((key) => methods.includes(key)))
    .length;
}

/** A value for every required parameter: a string, or a number where a string is not allowed. */
const given = ({ parameters }: ToolOperation, value: unknown) =>
  Object.fromEntries(parameters.filter(({ required }) => required).map(({ name }) => [name, value]));

test.each(documents)(
  '%s is read from its address, and its calls arrive as documented',
  async (name, file) => {
    const ada = product.as('ada');
    const { chatbot } = await ada.chatbot.create({ organizationId, name });
    const { tool } = await ada.tool.create({ organizationId, agentId: chatbot.id, name });
    const read = await ada.tool.update({ id: tool.id, schema: { url: `${files.url}/${file}` } });
    expect(read.operations).toHaveLength(await countOperations(file));
    await ada.tool.update({
      id: tool.id,
      serverUrl: `${service.url}/base`,
      authentication: { type: 'none' },
    });
    service.answer = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"fine":true}');
    const looking = read.operations.filter(
      ({ method, parameters }) =>
        method === 'GET' && parameters.every((each) => !each.required || each.in === 'path'),
    );
    expect(looking.length).toBeGreaterThan(0);
    for (const operation of looking.slice(0, 5)) {
      service.requests.length = 0;
      const call = (value: unknown) =>
        ada.tool.test({ id: tool.id, operationId: operation.id, arguments: given(operation, value) });
      const asText = await call('one');
      const isText = asText.state === 'done';
      const tried = isText ? asText : await call(1);
      expect(tried).toMatchObject({ state: 'done', status: 200, response: '{"fine":true}' });
      expect(service.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
        `GET /base${operation.path.replaceAll(/\{[^}]+\}/g, isText ? 'one' : '1')}`,
      ]);
    }
  },
);

test('a document of Swagger 2 is refused with a clear reason', async () => {
  const ada = product.as('ada');
  const { chatbot } = await ada.chatbot.create({ organizationId, name: 'Old' });
  const { tool } = await ada.tool.create({ organizationId, agentId: chatbot.id, name: 'Old' });
  const url = `${files.url}/@readme/oas-examples/2.0/json/petstore.json`;
  await expect(ada.tool.update({ id: tool.id, schema: { url } })).rejects.toMatchObject({
    status: 400,
    message: 'This is a Swagger 2 document. Convert it to OpenAPI 3.0 or 3.1.',
  });
});
