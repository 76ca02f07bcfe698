import type { Role } from '../../../contract/access.ts';
import type { member as contract } from '../../../contract/member.ts';
import { inOrganization, inOrganizationAlone, organizationOf } from '../../access/gate.ts';
import { membershipChanged } from '../../access/membership.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import { cutPart, partOf, readId } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { requireAssignable, requireTeams } from './assignable.ts';
import { inviteHandlers } from './invite-handlers.ts';
import { memberOf } from './present.ts';
import * as store from './store.ts';

export function memberHandlers(deps: Deps): Handlers<typeof contract> {
  const { db } = deps;
  return {
    list: async ({ orgId, ...asked }, caller) => {
      const part = partOf(asked, readId);
      return inOrganization(db, caller, orgId, 'organization.read', async (tx, standing) => {
        const found = await store.listMembers(tx, orgId, part);
        const { rows, nextCursor } = cutPart(found, part, ({ id }) => [id]);
        return { members: rows.map((member) => memberOf(member, caller, standing)), nextCursor };
      });
    },

    get: async ({ id }, caller) => {
      const organizationId = await organizationOf(db, 'member', id);
      return inOrganization(db, caller, organizationId, 'organization.read', async (tx, standing) => ({
        member: memberOf(await requireMember(tx, organizationId, id), caller, standing),
      }));
    },

    update: async ({ id, role, teams }, caller, context) => {
      const organizationId = await organizationOf(db, 'member', id);
      const member = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx, standing) => {
          const before = await requireMember(tx, organizationId, id);
          requireMayChange(standing.role, before.role);
          requireAssignable(role);
          if (role && (await store.isLastOwner(tx, before))) throw new AppError('member/last-owner');
          await requireTeams(tx, organizationId, teams ?? []);
          if (role) await store.changeRole(tx, before, role);
          if (teams) await store.setTeamsOf(tx, before, teams);
          await store.endUnseen(tx, organizationId);
          const after = await requireMember(tx, organizationId, id);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'member.update',
            target: before,
            before: { role: before.role, teams: before.teams },
            after: { role: after.role, teams: after.teams },
          });
          return memberOf(after, caller, standing);
        },
      );
      await membershipChanged(deps, organizationId, member.userId);
      return { member };
    },

    remove: async ({ id }, caller, context) => {
      const organizationId = await organizationOf(db, 'member', id);
      const gone = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx, standing) => {
          const target = await requireMember(tx, organizationId, id);
          requireMayChange(standing.role, target.role);
          if (await store.isLastOwner(tx, target)) throw new AppError('member/last-owner');
          await store.endMembership(tx, target);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'member.remove',
            target,
            before: { role: target.role, teams: target.teams },
          });
          return target;
        },
      );
      await membershipChanged(deps, organizationId, gone.userId);
      return { deleted: true };
    },

    ...inviteHandlers(deps),
  };
}

async function requireMember(tx: Tx, organizationId: string, id: string): Promise<store.StoredMember> {
  const found = await store.findMember(tx, organizationId, { id });
  if (!found) throw notFound();
  return found;
}

/** Only owners can change owners. */
function requireMayChange(mine: Role, theirs: Role): void {
  if (theirs === 'owner' && mine !== 'owner') throw new AppError('auth/forbidden');
}
