import type { Invite, member as contract } from '../../../contract/member.ts';
import type { Role } from '../../../contract/access.ts';
import { inOrganization, inOrganizationAlone, organizationOf } from '../../access/gate.ts';
import { membershipChanged } from '../../access/membership.ts';
import { lockPlan, requireRoom, requireRoomLater } from '../../access/quota.ts';
import { AppError, notFound } from '../../app-error.ts';
import { personOf, type Handlers, type RequestContext } from '../../call.ts';
import { cutPart, partOf, readId } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { recordAudit } from '../audit/store.ts';
import * as invites from './invite-store.ts';
import * as rules from './invites.ts';
import { inviteOf, memberOf, statusOf } from './present.ts';
import * as store from './store.ts';

export function memberHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, jobs } = deps;
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
          requireGiven(role);
          if (role && (await store.isLastOwner(tx, before))) throw new AppError('member/last-owner');
          await rules.requireTeams(tx, organizationId, teams ?? []);
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

    listInvites: async ({ orgId, ...asked }, caller) => {
      const part = partOf(asked, readId);
      const found = await inOrganization(db, caller, orgId, 'organization.manage', (tx) =>
        invites.listInvites(tx, orgId, part),
      );
      const { rows, nextCursor } = cutPart(found, part, ({ id }) => [id]);
      return { invites: rows.map(inviteOf), nextCursor };
    },

    invite: async ({ organizationId, email, role, teams }, caller, context) => {
      const emails = [...new Set(email)];
      const made = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx): Promise<[Invite, ...Invite[]]> => {
          const inviter = personOf(caller);
          requireGiven(role);
          await rules.requireTeams(tx, organizationId, teams);
          await rules.refuseMembers(tx, organizationId, emails);
          await requireRoomLater(tx, config, organizationId, 'members');
          const sent: Invite[] = [];
          for (const address of emails) {
            const token = newSecret();
            const values = { organizationId, role, teams, email: address, invitedBy: inviter.userId };
            const invite = await invites.insertInvite(tx, { ...values, tokenHash: hashSecret(token) });
            await rules.post(tx, jobs, invite, linkOf(context, token));
            await recordAudit(tx, caller, context, {
              organizationId,
              action: 'member.invite',
              target: { id: invite.id, name: address },
              after: { role, teams },
            });
            sent.push(inviteOf(invite));
          }
          return sent as [Invite, ...Invite[]];
        },
      );
      return { invite: made[0], invites: made };
    },

    getInvite: async ({ token }, caller) => {
      const tokenHash = hashSecret(token);
      const organizationId = await organizationOf(db, 'inviteToken', tokenHash);
      const invite = await db.in({ organizationId }, (tx) =>
        rules.receive(tx, organizationId, tokenHash, caller),
      );
      return { invite: invite.received };
    },

    answerInvite: async ({ inviteToken, status }, caller, context) => {
      const tokenHash = hashSecret(inviteToken);
      const organizationId = await organizationOf(db, 'inviteToken', tokenHash);
      const invite = await db.in({ organizationId }, async (tx) => {
        const { received, stored } = await rules.receive(tx, organizationId, tokenHash, caller);
        if (!received.isForMe) throw new AppError('invite/other-email');
        // First the organization, then the invite, as those lock them who send and revoke invites.
        await lockPlan(tx, organizationId);
        if (!(await invites.answerInvite(tx, stored, status))) throw await rules.reasonOf(tx, stored);
        if (status === 'accepted') {
          await requireRoom(tx, config, organizationId, 'members');
          await rules.join(tx, stored, caller);
        }
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'member.answerInvite',
          target: { id: stored.id, name: stored.email },
          before: { status: 'pending' },
          after: { status },
        });
        return { ...received, status };
      });
      if (status === 'declined') return { invite, organizationId: null };
      await membershipChanged(deps, organizationId, caller.userId);
      return { invite, organizationId };
    },

    resendInvite: async ({ id }, caller, context) => {
      const token = newSecret();
      const organizationId = await organizationOf(db, 'invite', id);
      const invite = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx) => {
          const inviter = personOf(caller);
          const stored = await rules.requireOpen(tx, organizationId, id);
          if (stored.status === 'revoked') throw new AppError('invite/revoked');
          await rules.refuseMembers(tx, organizationId, [stored.email]);
          const values = { tokenHash: hashSecret(token), invitedBy: inviter.userId };
          const renewed = await invites.renewInvite(tx, id, values);
          await rules.post(tx, jobs, renewed, linkOf(context, token));
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'member.resendInvite',
            target: { id, name: stored.email },
            before: { expiresAt: stored.expiresAt },
            after: { expiresAt: renewed.expiresAt },
          });
          return renewed;
        },
      );
      return { invite: inviteOf(invite) };
    },

    revokeInvite: async ({ id }, caller, context) => {
      const organizationId = await organizationOf(db, 'invite', id);
      const invite = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx) => {
          const stored = await rules.requireOpen(tx, organizationId, id);
          if (stored.status === 'revoked') return stored;
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'member.revokeInvite',
            target: { id, name: stored.email },
            before: { status: statusOf(stored) },
            after: { status: 'revoked' },
          });
          return invites.revokeInvite(tx, id);
        },
      );
      return { invite: inviteOf(invite) };
    },
  };
}

async function requireMember(tx: Tx, organizationId: string, id: string): Promise<store.StoredMember> {
  const found = await store.findMember(tx, organizationId, { id });
  if (!found) throw notFound();
  return found;
}

/** Owners are changed by owners only. */
function requireMayChange(mine: Role, theirs: Role): void {
  if (theirs === 'owner' && mine !== 'owner') throw new AppError('auth/forbidden');
}

function linkOf({ origin }: RequestContext, token: string): string {
  return `${origin}/auth/invite?token=${token}`;
}

/** Ownership is handed over, by whoever has it and to one person; it is not given beside the others. */
function requireGiven<R extends Role | undefined>(role: R): asserts role is Exclude<R, 'owner'> {
  if (role === 'owner')
    throw new AppError('auth/forbidden', 'Ownership is handed over, not given by a role.');
}
