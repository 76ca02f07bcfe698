import type { FastifyInstance } from 'fastify';
import { addressGroup } from './access/allowance.ts';
import { inAgent } from './access/gate.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { clientAddress, trustedProxies } from './http/proxies.ts';
import { endOf } from './identity/tokens.ts';
import { startRealtime } from './realtime/realtime.ts';

/** Sockets of who has a token, in rooms of agents that they may see. */
export function openRealtime(
  { server }: FastifyInstance,
  { trustedProxies: proxies }: Config,
  { identity, db }: Pick<Deps, 'identity' | 'db'>,
): Deps['realtime'] {
  const isTrustedProxy = trustedProxies(proxies);
  return startRealtime(server, {
    identify: async (token) => {
      const caller = await identity.identify(token);
      return caller && { caller, endsAt: endOf(token) };
    },
    addressOf: (request) => addressGroup(clientAddress(request, isTrustedProxy)),
    mayWatchAgent: (caller, agentId) =>
      inAgent(db, caller, agentId, 'agent.read', async () => true).catch(() => false),
  });
}
