import type { apiKey as contract, ApiKey } from '../../../contract/api-key.ts';
import { API_KEY_PREFIX } from '../../access/api-keys.ts';
import { inOrganization, inOrganizationAlone, organizationOf } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import { callerId, type Handlers } from '../../call.ts';
import { cutPart, partOf, readId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { recordAudit } from '../audit/store.ts';
import * as store from './store.ts';

export function apiKeyHandlers({ db, apiKeys }: Deps): Handlers<typeof contract> {
  return {
    list: async ({ organizationId, ...asked }, caller) => {
      const part = partOf(asked, readId);
      const found = await inOrganization(db, caller, organizationId, 'organization.manage', (tx) =>
        store.listKeys(tx, organizationId, part),
      );
      const { rows, nextCursor } = cutPart(found, part, ({ id }) => [id]);
      return { apiKeys: rows.map(apiKeyOf), nextCursor };
    },

    create: async ({ organizationId, name, scope }, caller, context) => {
      const secret = API_KEY_PREFIX + newSecret();
      // Exclusive: a member being removed at this moment must not leave a key behind.
      const made = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx) => {
          const key = await store.insertKey(tx, {
            organizationId,
            name,
            scope,
            secretHash: hashSecret(secret),
            preview: `${secret.slice(0, API_KEY_PREFIX.length + 4)}…${secret.slice(-4)}`,
            createdBy: callerId(caller),
          });
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'apiKey.create',
            target: key,
            after: { name, scope },
          });
          return key;
        },
      );
      return { apiKey: apiKeyOf(made), secret };
    },

    revoke: async ({ id }, caller, context) => {
      const organizationId = await organizationOf(db, 'apiKey', id);
      await inOrganization(db, caller, organizationId, 'organization.manage', async (tx) => {
        const gone = await store.revokeKey(tx, organizationId, id);
        if (!gone) throw notFound();
        const { name, scope } = gone;
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'apiKey.revoke',
          target: gone,
          before: { name, scope },
        });
      });
      apiKeys.forget(organizationId);
      return { revoked: true };
    },
  };
}

function apiKeyOf({ createdAt, lastUsedAt, ...key }: store.StoredKey): ApiKey {
  return { ...key, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
