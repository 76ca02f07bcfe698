import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackSite {
  port: number;
  /** All connections ever made to it. */
  connections: () => number;
  close: () => Promise<void>;
}

/** A real web server on this machine, for tests of what reaches it and what must not. */
export async function openLoopbackSite(listener: RequestListener): Promise<LoopbackSite> {
  let connections = 0;
  const server = createServer(listener).on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
