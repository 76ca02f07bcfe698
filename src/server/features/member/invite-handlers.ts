import type { Invite, member as contract } from '../../../contract/member.ts';
import { inOrganization, inOrganizationAlone, organizationOf } from '../../access/gate.ts';
import { membershipChanged } from '../../access/membership.ts';
import { lockPlan, requireRoom, requireRoomLater } from '../../access/quota.ts';
import { AppError } from '../../app-error.ts';
import { personOf, type Handlers, type RequestContext } from '../../call.ts';
import { cutPart, partOf, readId } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { hashSecret, newSecret } from '../../identity/secrets.ts';
import { recordAudit } from '../audit/store.ts';
import { requireAssignable, requireTeams } from './assignable.ts';
import * as store from './invite-store.ts';
import * as rules from './invites.ts';
import { inviteOf, statusOf } from './present.ts';

type Inviting = 'listInvites' | 'invite' | 'getInvite' | 'answerInvite' | 'resendInvite' | 'revokeInvite';

/** Invites: those who manage the organization send and revoke them; the person with the emailed link answers one. */
export function inviteHandlers(deps: Deps): Pick<Handlers<typeof contract>, Inviting> {
  const { config, db, jobs } = deps;
  return {
    listInvites: async ({ orgId, ...asked }, caller) => {
      const part = partOf(asked, readId);
      const found = await inOrganization(db, caller, orgId, 'organization.manage', (tx) =>
        store.listInvites(tx, orgId, part),
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
          requireAssignable(role);
          await requireTeams(tx, organizationId, teams);
          await rules.refuseMembers(tx, organizationId, emails);
          await requireRoomLater(tx, config, organizationId, 'members');
          const sent: Invite[] = [];
          for (const address of emails) {
            const token = newSecret();
            const values = { organizationId, role, teams, email: address, invitedBy: inviter.userId };
            const invite = await store.insertInvite(tx, { ...values, tokenHash: hashSecret(token) });
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
        // The organization first, then the invite: the same lock order as sending and revoking.
        await lockPlan(tx, organizationId);
        if (!(await store.answerInvite(tx, stored, status))) throw await rules.reasonOf(tx, stored);
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
          const renewed = await store.renewInvite(tx, id, values);
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
          return store.revokeInvite(tx, id);
        },
      );
      return { invite: inviteOf(invite) };
    },
  };
}

function linkOf({ origin }: RequestContext, token: string): string {
  return `${origin}/auth/invite?token=${token}`;
}
