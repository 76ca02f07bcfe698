import type { organization as contract } from '../../../contract/organization.ts';
import { ORGANIZATIONS_A_DAY_MAX } from '../../../contract/limits.ts';
import { isTypedAs } from '../../../contract/typed-name.ts';
import { takeAllowance } from '../../access/allowance.ts';
import { inOrganization, inOrganizationAlone } from '../../access/gate.ts';
import { membershipChanged } from '../../access/membership.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import { callerId, personOf, type Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { removePhoto, requireOwnPhoto, uploadPhoto } from '../../images/photos.ts';
import { recordAudit } from '../audit/store.ts';
import { findCustomer, keepReferral } from '../billing/store.ts';
import * as members from '../member/store.ts';
import * as store from './store.ts';

const MADE_AT_MOST = { max: ORGANIZATIONS_A_DAY_MAX, seconds: 86_400 };

export function organizationHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, jobs, log } = deps;
  return {
    list: async (_input, caller) => {
      const organizations =
        caller.kind === 'key'
          ? await db.in({ organizationId: caller.organizationId }, async (tx) => [
              await store.findOrganization(tx, caller.organizationId),
            ])
          : await db.in({ userId: caller.userId }, (tx) => store.listOfUser(tx, caller.userId));
      const mine = organizations.filter((organization) => organization !== undefined);
      return { data: { organizations: mine }, organizations: mine };
    },

    get: async ({ id }, caller) => {
      const organization = await inOrganization(db, caller, id, 'organization.read', (tx) =>
        store.findOrganization(tx, id),
      );
      if (!organization) throw notFound();
      return { data: { organization }, organization };
    },

    create: async ({ name, ref }, caller, context) => {
      const { userId } = personOf(caller);
      const id = newId('organization');
      const organization = await db.in({ organizationId: id }, async (tx) => {
        // Each comes with a free plan's answers, which somebody pays for.
        if (config.billing.mode === 'on') await takeAllowance(tx, `organizations of ${userId}`, MADE_AT_MOST);
        const made = await store.insertOrganization(tx, { id, name, createdBy: userId });
        await members.insertMember(tx, { organizationId: id, userId, role: 'owner' });
        if (ref !== undefined) await keepReferral(tx, { organizationId: id, createdBy: userId, code: ref });
        await recordAudit(tx, caller, context, {
          organizationId: id,
          action: 'organization.create',
          target: made,
          after: { name },
        });
        return made;
      });
      return { data: { organization }, organization };
    },

    selfRole: async ({ orgId }, caller) =>
      inOrganization(db, caller, orgId, 'organization.read', async (_tx, { role }) => ({ role })),

    updateProfile: async ({ id, ...changes }, caller, context) => {
      const organization = await inOrganization(db, caller, id, 'organization.manage', async (tx) => {
        const before = await store.findOrganization(tx, id, true);
        if (!before) throw notFound();
        requireOwnPhoto(changes.profilePhoto, before.profilePhoto);
        const after = await store.updateOrganization(tx, id, changes);
        if (after.profilePhoto !== before.profilePhoto) await removePhoto(tx, jobs, before.profilePhoto);
        await recordAudit(tx, caller, context, {
          organizationId: id,
          action: 'organization.updateProfile',
          target: before,
          before: { ...before },
          after: { ...after },
        });
        return after;
      });
      return { data: { organization }, organization };
    },

    uploadPhoto: async ({ id, media }, caller, context) => {
      // Checked before the picture is opened, and again at the end: the role may be gone by then.
      await inOrganization(db, caller, id, 'organization.manage', async () => {});
      const organization = await uploadPhoto(deps, media, (profilePhoto) =>
        inOrganization(db, caller, id, 'organization.manage', async (tx) => {
          const before = await store.findOrganization(tx, id, true);
          if (!before) throw notFound();
          const after = await store.updateOrganization(tx, id, { profilePhoto });
          await removePhoto(tx, jobs, before.profilePhoto);
          await recordAudit(tx, caller, context, {
            organizationId: id,
            action: 'organization.uploadPhoto',
            target: before,
            before: { profilePhoto: before.profilePhoto },
            after: { profilePhoto },
          });
          return after;
        }),
      );
      return { data: { organization }, organization };
    },

    transfer: async ({ id, memberId }, caller, context) => {
      const person = personOf(caller);
      const { organization, heir } = await inOrganizationAlone(
        db,
        caller,
        id,
        'organization.own',
        async (tx) => {
          const found = await store.findOrganization(tx, id);
          const from = await members.findMember(tx, id, { userId: person.userId });
          const to = await members.findMember(tx, id, { id: memberId });
          if (!found || !from || !to) throw notFound();
          if (from.id === to.id) throw invalidField('memberId', 'This is you.');
          await members.changeRole(tx, to, 'owner');
          await members.changeRole(tx, from, 'admin');
          await recordAudit(tx, caller, context, {
            organizationId: id,
            action: 'organization.transfer',
            target: found,
            before: { owner: from.name, ownerId: from.userId },
            after: { owner: to.name, ownerId: to.userId },
          });
          return { organization: found, heir: to.userId };
        },
      );
      for (const userId of [person.userId, heir]) await membershipChanged(deps, id, userId);
      return { data: { organization }, organization };
    },

    remove: async ({ id, name }, caller, context) => {
      personOf(caller);
      const gone = await inOrganizationAlone(
        { in: db.lengthy },
        caller,
        id,
        'organization.own',
        async (tx) => {
          const found = await store.findOrganization(tx, id);
          if (!found) throw notFound();
          if (!isTypedAs(name, found.name)) throw invalidField('name', 'Type the organization’s name.');
          const people = await members.listMembers(tx, id);
          const customerId = await findCustomer(tx, id);
          await store.deleteOrganization(tx, id);
          if (customerId !== undefined) await jobs.enqueue(tx, 'plan.end', { customerId });
          return { people, name: found.name };
        },
      );
      // Its own audit log is deleted with it.
      log.info(
        { organizationId: id, by: callerId(caller), from: context.address },
        'an organization was deleted',
      );
      for (const { userId } of gone.people) await membershipChanged(deps, id, userId);
      return { deleted: true };
    },

    leave: async ({ id }, caller, context) => {
      const { userId } = personOf(caller);
      await inOrganizationAlone(db, caller, id, 'organization.read', async (tx) => {
        const me = await members.findMember(tx, id, { userId });
        if (!me) throw notFound();
        if (await members.isLastOwner(tx, me)) throw new AppError('member/last-owner');
        await members.endMembership(tx, me);
        await recordAudit(tx, caller, context, {
          organizationId: id,
          action: 'organization.leave',
          target: me,
          before: { role: me.role, teams: me.teams },
        });
      });
      await membershipChanged(deps, id, userId);
      return { left: true };
    },
  };
}
