import type { organization as contract } from '../../../contract/organization.ts';
import { inOrganization } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../../call.ts';
import { newId } from '../../id.ts';
import * as store from './store.ts';

export function organizationHandlers({ db }: Deps): Handlers<typeof contract> {
  return {
    list: async (_input, caller) => {
      const organizations = await db.in({ userId: caller.userId }, (tx) =>
        store.listOfUser(tx, caller.userId),
      );
      return { data: { organizations }, organizations };
    },

    get: async ({ id }, caller) => {
      const organization = await inOrganization(db, caller, id, 'organization.read', (tx) =>
        store.findOrganization(tx, id),
      );
      if (!organization) throw notFound();
      return { data: { organization }, organization };
    },

    create: async ({ name }, caller) => {
      const id = newId('organization');
      const organization = await db.in({ organizationId: id }, async (tx) => {
        const made = await store.insertOrganization(tx, { id, name, createdBy: caller.userId });
        await store.insertMember(tx, { organizationId: id, userId: caller.userId, role: 'owner' });
        return made;
      });
      return { data: { organization }, organization };
    },

    selfRole: async ({ orgId }, caller) =>
      inOrganization(db, caller, orgId, 'organization.read', async (_tx, role) => ({ role })),
  };
}
