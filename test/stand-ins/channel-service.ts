import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  method: string;
  /** Including its query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Shared by all stand-ins for channel services: a loopback server that answers requests. */
export async function startService(
  answer: (
    asked: Asked,
  ) => { status?: number; body?: object | Buffer } | Promise<{ status?: number; body?: object | Buffer }>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = request;
    const { status = 200, body = {} } = await answer({ method, path, headers, body: Buffer.concat(chunks) });
    const isBytes = Buffer.isBuffer(body);
    response
      .writeHead(status, { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' })
      .end(isBytes ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
