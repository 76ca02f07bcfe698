import { may } from '../../../contract/access.ts';
import type { Invite, Member, ReceivedInvite } from '../../../contract/member.ts';
import type { Standing } from '../../access/standing.ts';
import { callerId, type MemberCaller } from '../../call.ts';
import type { StoredInvite } from './invite-store.ts';
import type { StoredMember } from './store.ts';

/** Addresses are for those who manage the organization; everyone sees their own. */
export function memberOf(
  { createdAt, email, ...member }: StoredMember,
  caller: MemberCaller,
  { role }: Standing,
): Member {
  const seesEmail = may(role, 'organization.manage') || member.userId === callerId(caller);
  return { ...member, email: seesEmail ? email : null, joinedAt: createdAt.toISOString() };
}

export function inviteOf(invite: StoredInvite): Invite {
  return {
    ...invite,
    status: statusOf(invite),
    createdAt: invite.createdAt.toISOString(),
    expiresAt: invite.expiresAt.toISOString(),
  };
}

export function receivedInviteOf(
  invite: StoredInvite,
  organization: { name: string; profilePhoto: string },
  isForMe: boolean,
): ReceivedInvite {
  return {
    organizationName: organization.name,
    organizationPhoto: organization.profilePhoto,
    email: masked(invite.email),
    role: invite.role,
    status: statusOf(invite),
    isForMe,
  };
}

export function statusOf({ status, expiresAt }: StoredInvite): Invite['status'] {
  return status === 'pending' && expiresAt.getTime() <= Date.now() ? 'expired' : status;
}

/** `ada@example.com` becomes `a…@example.com`. */
function masked(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
