import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';

/** The configured address; without one, this machine's own. */
export function originOf(http: FastifyInstance, config: Config): string {
  if (config.publicUrl) return config.publicUrl;
  const address = http.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  return `http://localhost:${port}`;
}
