import type { FastifyInstance } from 'fastify';
import type { Config } from './config/config.ts';

/** The listening addresses that `localhost` reaches: loopback, or all of the machine's addresses. */
const local = new Set(['127.0.0.1', '::1', '0.0.0.0', '::']);

/** The configured address; without one, where this server listens, as reached from this machine. */
export function originOf(http: FastifyInstance, { publicUrl, port }: Config): string {
  if (publicUrl) return publicUrl;
  const listens = http.server.address();
  if (typeof listens !== 'object' || listens === null) return `http://localhost:${port}`;
  const { address } = listens;
  const name = address.includes(':') ? `[${address}]` : address;
  return `http://${local.has(address) ? 'localhost' : name}:${listens.port}`;
}
