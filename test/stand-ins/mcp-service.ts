import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import type { AccountService } from './account-service.ts';

/**
 * An MCP server with personal sign-in, built with the protocol's own library: it publishes where to sign in (RFC 9728),
 * and reports its callers.
 */
export interface McpService {
  /** `host:port`, for the operator's list of addresses that may be read. */
  host: string;
  url: string;
  /** The people who have called `whoAmI`. */
  callers: string[];
  /** Overrides for its sign-in metadata. */
  metadata: Record<string, unknown>;
  close: () => Promise<void>;
}

export async function startMcpService(accounts: AccountService): Promise<McpService> {
  const callers: string[] = [];
  const service = { callers, metadata: {} } as unknown as McpService;
  const serverFor = (person: string) => {
    const server = new McpServer({ name: 'orders', version: '1' });
    server.registerTool('whoAmI', { description: 'Who is it?', inputSchema: { loud: z.boolean() } }, () => {
      callers.push(person);
      return { content: [{ type: 'text', text: `You are ${person}.` }] };
    });
    return server;
  };
  const http = createServer((request, response) => {
    if (request.url === '/.well-known/oauth-protected-resource/mcp') {
      const said = { resource: service.url, authorization_servers: [`http://${accounts.host}`] };
      const metadata = { ...said, scopes_supported: ['orders'], ...service.metadata };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
      return;
    }
    const person = accounts.personOf(request.headers.authorization);
    if (person === undefined) {
      const where = `http://${service.host}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${where}"` }).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    void serverFor(person)
      .connect(transport as Parameters<McpServer['connect']>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  return Object.assign(service, {
    host,
    url: `http://${host}/mcp`,
    close: () => new Promise<void>((resolve) => http.close(() => resolve())),
  });
}
