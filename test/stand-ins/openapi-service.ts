import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServiceRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface OpenApiService {
  url: string;
  /** `host:port`, for the operator's list of addresses that may be read. */
  host: string;
  /** All its requests in order, except for its document and its tokens. */
  requests: ServiceRequest[];
  /** The tokens it has issued. */
  tokens: string[];
  /** Overrides its usual responses. */
  answer: ((request: ServiceRequest, response: ServerResponse) => void) | undefined;
  close: () => Promise<void>;
}

/** A small shop's document, as its service provides it. */
export function shopDocument(url: string): object {
  const item = { type: 'object', properties: { item: { type: 'string' }, count: { type: 'integer' } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url }],
    paths: {
      '/orders': {
        get: {
          operationId: 'listOrders',
          summary: 'List the orders',
          parameters: [{ name: 'state', in: 'query', schema: { type: 'string', enum: ['open', 'sent'] } }],
        },
        post: {
          operationId: 'createOrder',
          summary: 'Order something',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
      '/orders/{id}': {
        parameters: [id],
        get: { operationId: 'getOrder', summary: 'Look at an order' },
        delete: { operationId: 'cancelOrder', summary: 'Cancel an order' },
      },
    },
    components: { schemas: { Order: { ...item, required: ['item'] } } },
  };
}

/** A service with an OpenAPI document, over loopback: a shop that takes orders, and issues tokens for client credentials. */
export async function startOpenApiService(): Promise<OpenApiService> {
  const service = { requests: [], tokens: [], answer: undefined } as unknown as OpenApiService;
  const server: Server = createServer((request, response) => {
    serve(service, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.url = `http://${service.host}`;
  service.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return service;
}

async function serve(
  service: OpenApiService,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = request;
  const asked = {
    method,
    url,
    headers: headers as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
  if (url === '/openapi.json') return answer(response, 200, shopDocument(service.url));
  if (url === '/token') {
    const token = `token-canary-${service.tokens.length + 1}`;
    service.tokens.push(token);
    return answer(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
  }
  service.requests.push(asked);
  if (service.answer) return service.answer(asked, response);
  return answer(response, method === 'POST' ? 201 : 200, {
    done: `${method} ${url}`,
    number: service.requests.length,
  });
}

export function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
