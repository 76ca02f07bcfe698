import type { AuditedCall } from '../../../contract/audited.ts';
import type { visitor as contract, AgentAccess } from '../../../contract/visitor.ts';
import { AGENT_KEY_PREFIX } from '../../access/agent-keys.ts';
import { inAgent, organizationOf, type Agent } from '../../access/gate.ts';
import { publicAgentOf } from '../../access/present-agent.ts';
import { isAllowedSite } from '../../access/sites.ts';
import { AppError, noAgent } from '../../app-error.ts';
import { personOf, type Handlers, type MemberCaller, type RequestContext } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import {
  ensureNamed,
  findReturning,
  insertVisitor,
  type StoredVisitor,
} from '../../identity/visitor-store.ts';
import { signVisitorToken } from '../../identity/visitor-tokens.ts';
import { recordAudit } from '../audit/store.ts';
import * as store from './store.ts';
import { readUserToken, requirePublicKey } from './user-token.ts';

export function visitorHandlers({ db, vault, identity, agentKeys }: Deps): Handlers<typeof contract> {
  /** The visitor, known or new, with the secret that lets an anonymous one return. */
  const enter = async (
    tx: Tx,
    { id: agentId, organizationId }: Agent,
    { userToken, refreshToken }: { userToken?: string | undefined; refreshToken?: string | undefined },
  ): Promise<{ visitor: StoredVisitor; refreshToken: string | null }> => {
    const place = { organizationId, agentId };
    if (userToken !== undefined) {
      const access = await store.findAccess(tx, organizationId, agentId);
      const { subject, name } = await readUserToken(vault, access, agentId, userToken);
      return { visitor: await ensureNamed(tx, place, subject, name), refreshToken: null };
    }
    if (refreshToken !== undefined) {
      const known = await findReturning(tx, place, hashSecret(refreshToken));
      if (known) return { visitor: known, refreshToken };
    }
    const secret = newSecret();
    return {
      visitor: await insertVisitor(tx, place, { refreshHash: hashSecret(secret) }),
      refreshToken: secret,
    };
  };

  /** A change only a person who may change the agent can make; audited without its secrets. */
  const change = async (
    caller: MemberCaller,
    context: RequestContext,
    agentId: string,
    action: AuditedCall,
    changes: store.AccessChanges,
  ): Promise<AgentAccess> => {
    const person = personOf(caller);
    return inAgent(db, person, agentId, 'agent.write', async (tx, agent) => {
      const { organizationId } = agent;
      const after = accessOf(await store.saveAccess(tx, organizationId, agentId, changes));
      await recordAudit(tx, person, context, { organizationId, action, target: agent, after: { ...after } });
      return after;
    });
  };

  return {
    authenticate: async ({ chatbotId, ...given }, _caller, context) => {
      // Anything longer is not an origin and will match no page.
      const site = context.site?.slice(0, 300);
      const organizationId = await organizationOf(
        db,
        chatbotId.startsWith('agt_') ? 'agent' : 'handle',
        chatbotId,
      );
      const { agent, visitor, refreshToken } = await db.in({ organizationId }, async (tx) => {
        const agent = await store.findAgent(tx, organizationId, chatbotId);
        if (!agent?.isPublic) throw noAgent();
        if (!isAllowedSite(agent.allowedOrigins, site)) throw new AppError('visitor/origin-not-allowed');
        return { agent, ...(await enter(tx, agent, given)) };
      });
      const { token, expiresAt } = await signVisitorToken(identity.keys, {
        visitorId: visitor.id,
        userId: visitor.userId,
        organizationId,
        agentId: agent.id,
        site,
        isNamed: visitor.subject !== null,
        byKey: false,
      });
      return {
        visitorId: visitor.id,
        token,
        expiresAt: expiresAt.toISOString(),
        refreshToken,
        agent: publicAgentOf(agent, context.language()),
      };
    },

    getAccess: async ({ id }, caller) => {
      const found = await inAgent(db, caller, id, 'agent.read', (tx, { organizationId }) =>
        store.findAccess(tx, organizationId, id),
      );
      return { access: accessOf(found) };
    },

    rotateEmbedSecret: async ({ id }, caller, context) => {
      const secret = newSecret();
      const changes = { embedSecret: vault.encrypt(secret, id), embedPublicKey: null };
      const access = await change(caller, context, id, 'visitor.rotateEmbedSecret', changes);
      return { secret, access };
    },

    setEmbedKey: async ({ id, publicKey }, caller, context) => {
      const embedPublicKey = publicKey === null ? null : requirePublicKey(publicKey);
      const changes = { embedPublicKey, embedSecret: null };
      return { access: await change(caller, context, id, 'visitor.setEmbedKey', changes) };
    },

    rotateApiKey: async ({ id }, caller, context) => {
      const apiKey = AGENT_KEY_PREFIX + newSecret();
      const access = await change(caller, context, id, 'visitor.rotateApiKey', {
        apiKeyHash: hashSecret(apiKey),
        apiKeyPreview: `${apiKey.slice(0, AGENT_KEY_PREFIX.length + 4)}…${apiKey.slice(-4)}`,
      });
      agentKeys.forget(id);
      return { apiKey, access };
    },

    removeApiKey: async ({ id }, caller, context) => {
      const changes = { apiKeyHash: null, apiKeyPreview: null };
      const access = await change(caller, context, id, 'visitor.removeApiKey', changes);
      agentKeys.forget(id);
      return { access };
    },
  };
}

/** The public part of it: nothing secret. */
function accessOf(stored: store.StoredAccess | undefined): AgentAccess {
  const publicKey = stored?.embedPublicKey ?? null;
  const hasSecret = Boolean(stored?.embedSecret);
  return {
    algorithm: publicKey === null ? (hasSecret ? 'HS256' : null) : 'RS256',
    publicKey,
    apiKeyPreview: stored?.apiKeyPreview ?? null,
  };
}
