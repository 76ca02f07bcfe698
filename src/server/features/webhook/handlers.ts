import type { webhook as contract, WebhookDelivery } from '../../../contract/webhook.ts';
import { inOrganization, organizationOf } from '../../access/gate.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Handlers, MemberCaller } from '../../call.ts';
import { decodeCursor, encodeCursor, readId } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { findPlugin, lockPlugin, updatePlugin, type StoredPlugin } from '../plugin/store.ts';
import { rotateSigningSecret, signingSecretsOf } from '../../identity/signing-secret.ts';
import * as store from './store.ts';

export function webhookHandlers({ db, jobs, vault }: Deps): Handlers<typeof contract> {
  const inWebhook = async <T>(
    caller: MemberCaller,
    id: string,
    permission: 'agent.read' | 'agent.write',
    work: (tx: Tx, webhook: StoredPlugin, agentName: string) => Promise<T>,
  ): Promise<T> => {
    const organizationId = await organizationOf(db, 'plugin', id);
    return inOrganization(db, caller, organizationId, permission, async (tx, { agents }) => {
      const found = await findPlugin(tx, organizationId, id, agents);
      if (found?.plugin.type !== 'webhook') throw notFound();
      return work(tx, found.plugin, found.agentName);
    });
  };

  return {
    listDeliveries: async ({ id, cursor, count }, caller) => {
      const before = decodeCursor(cursor, readId);
      const found = await inWebhook(caller, id, 'agent.read', (tx, webhook) =>
        store.listDeliveries(tx, webhook, { before, limit: count + 1 }),
      );
      const deliveries = found.slice(0, count);
      const last = deliveries.at(-1);
      return {
        deliveries: deliveries.map(deliveryOf),
        nextCursor: found.length > count && last ? encodeCursor([last.id]) : null,
      };
    },

    replay: ({ id, deliveryId }, caller) =>
      inWebhook(caller, id, 'agent.write', async (tx, { organizationId }) => {
        const key = { organizationId, id: deliveryId };
        const found = await store.findDelivery(tx, key);
        if (found?.webhook.id !== id) throw notFound();
        const again = await store.sendAgain(tx, key);
        if (!again) throw new AppError('resource/conflict', 'It is already being delivered.');
        await jobs.enqueue(tx, 'webhook.deliver', { organizationId, deliveryId });
        return { delivery: deliveryOf(again) };
      }),

    secret: ({ id, rotate }, caller, context) =>
      inWebhook(caller, id, 'agent.write', async (tx, webhook, agentName) => {
        const [current = ''] = signingSecretsOf(vault, webhook);
        if (!rotate) return { secret: current };
        const { organizationId } = webhook;
        // Of two concurrent rotations, the second replaces the first one's secret.
        const locked = await lockPlugin(tx, webhook);
        if (!locked) throw notFound();
        const { secret, credentials } = rotateSigningSecret(vault, locked);
        await updatePlugin(tx, organizationId, id, { credentials });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'webhook.secret',
          target: { id, name: agentName },
        });
        return { secret };
      }),
  };
}

function deliveryOf({
  id,
  event,
  payload,
  state,
  attempts,
  status,
  error,
  durationMs,
  createdAt,
  attemptedAt,
}: store.StoredDelivery): WebhookDelivery {
  return {
    id,
    event,
    payload,
    state,
    attempts,
    status,
    error,
    durationMs,
    createdAt: createdAt.toISOString(),
    attemptedAt: attemptedAt?.toISOString() ?? null,
  };
}
