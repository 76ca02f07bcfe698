import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import packageJson from '../../../package.json' with { type: 'json' };
import { AppError } from '../app-error.ts';
import { goneSignal } from './context.ts';
import { addTools } from './mcp-tools.ts';
import { callerByKey, type OfAgent, type ProgramOptions } from './program.ts';

interface McpOptions extends ProgramOptions {
  /** This installation's origin. */
  origin: () => string;
}

const PATH = '/v1/agents/:id/mcp';

/**
 * Each agent as a Model Context Protocol server over Streamable HTTP, without sessions: every request carries the
 * agent's key and is answered on its own, as JSON, so any of several processes can answer it. There is nothing to
 * listen to and no session to end, so GET and DELETE are 405, as the protocol says.
 */
export async function serveMcp(app: FastifyInstance, options: McpOptions): Promise<void> {
  const schema = { hide: true };
  app.post<OfAgent>(PATH, { schema }, async (request, reply) => {
    refuseOtherPages(request, options.origin());
    const caller = await callerByKey(request, options);
    const agent = await options.agents.agent(caller, request.params.id);
    // The protocol has dropped batches, and they would bypass rate limits.
    if (Array.isArray(request.body)) throw new AppError('request/invalid', 'Send one message per request.');
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
    const server = new McpServer(
      { name: 'parley', title: agent.name, version: packageJson.version },
      { instructions: `Questions to ${agent.name}, which answers from its own knowledge and cites it.` },
    );
    addTools(server, { agents: options.agents, caller, agent, log: request.log, signal: goneSignal(reply) });
    return speak(server, request, reply);
  });
  app.route({
    method: ['GET', 'DELETE'],
    url: PATH,
    schema,
    exposeHeadRoute: false,
    handler: (_request, reply) =>
      reply
        .code(405)
        .header('allow', 'POST')
        .send({ jsonrpc: '2.0', error: { code: -32_000, message: 'Method not allowed.' }, id: null }),
  });
}

/**
 * Only our own pages may talk to an agent. The origin is compared with our own address, not with the one requested,
 * which a foreign name server may have pointed here (DNS rebinding). Clients other than browsers send no `Origin`.
 * Errors: 403.
 */
function refuseOtherPages({ headers, host }: FastifyRequest, own: string): void {
  if (headers.origin === undefined) return;
  if (headers.origin !== own || host !== new URL(own).host) throw new AppError('auth/cross-site');
}

/** The protocol library's own server answers; one is created per request. */
async function speak(server: McpServer, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { WebStandardStreamableHTTPServerTransport } =
    await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(webRequest(request), { parsedBody: request.body });
    const text = await response.text();
    const mediaType = response.headers.get('content-type');
    if (mediaType !== null) reply.header('content-type', mediaType);
    return await reply.code(response.status).header('cache-control', 'no-store').send(text);
  } finally {
    await server.close();
  }
}

/** Passes on only the protocol's headers; the key stays with us. */
function webRequest({ headers: given, url }: FastifyRequest): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = given[name];
    if (value !== undefined) headers.set(name, String(value));
  }
  return new Request(new URL(url, 'http://agent.invalid'), { method: 'POST', headers });
}
