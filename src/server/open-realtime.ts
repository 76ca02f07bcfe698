import type { FastifyInstance } from 'fastify';
import { addressGroup } from './access/allowance.ts';
import { inAgent } from './access/gate.ts';
import type { Config } from './config/config.ts';
import type { Deps } from './deps.ts';
import { clientAddress, trustedProxies } from './http/proxies.ts';
import { endOf } from './identity/tokens.ts';
import { openFanOut } from './realtime/fan-out.ts';
import type { PresenceOptions } from './realtime/presence.ts';
import { startRealtime } from './realtime/realtime.ts';

/** The identity of a member, if they may look there; see `PresenceOptions`. */
type MemberAt = (
  db: Deps['db'],
  ...asked: Parameters<PresenceOptions['memberAt']>
) => ReturnType<PresenceOptions['memberAt']>;

/** Sockets for token holders, in rooms of agents they may see. */
export async function openRealtime(
  { server }: FastifyInstance,
  config: Config,
  { identity, db, log }: Pick<Deps, 'identity' | 'db' | 'log'>,
  memberAt: MemberAt,
): Promise<Deps['realtime']> {
  const isTrustedProxy = trustedProxies(config.trustedProxies);
  const fanOut = await openFanOut(config, log);
  return startRealtime(server, {
    fanOut,
    log,
    identify: async (token) => {
      const caller = await identity.identify(token);
      return caller && { caller, endsAt: endOf(token) };
    },
    addressOf: (request) => addressGroup(clientAddress(request, isTrustedProxy)),
    memberAt: (caller, place) => memberAt(db, caller, place),
    mayWatchAgent: (caller, agentId) =>
      inAgent(db, caller, agentId, 'agent.read', async () => true).catch(() => false),
  });
}
