import { AppError, notFound } from '../../app-error.ts';
import type { UserCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { enqueueMail } from '../mail/store.ts';
import { findOrganization } from '../organization/store.ts';
import { inviteMail } from './invite-mail.ts';
import * as invites from './invite-store.ts';
import type { StoredInvite } from './invite-store.ts';
import { receivedInviteOf } from './present.ts';
import * as store from './store.ts';

/** The mail with the secret is sent when the transaction commits, and only then. */
export async function post(
  tx: Tx,
  jobs: Jobs,
  { organizationId, email, role, invitedBy }: StoredInvite,
  link: string,
): Promise<void> {
  const organization = await findOrganization(tx, organizationId);
  const inviter = await store.findMember(tx, organizationId, { userId: invitedBy });
  const names = { organizationName: organization?.name ?? '', inviterName: inviter?.name ?? '' };
  await enqueueMail(tx, jobs, email, inviteMail({ ...names, role, link }));
}

/** An invite as the bearer of its token sees it. It is theirs only if it went to exactly their verified address. */
export async function receive(tx: Tx, organizationId: string, tokenHash: string, caller: UserCaller) {
  const stored = await invites.findInvite(tx, organizationId, { tokenHash });
  const organization = await findOrganization(tx, organizationId);
  if (!stored || !organization) throw notFound();
  const isForMe = (await store.findVerifiedEmail(tx, caller.userId)) === stored.email;
  return { stored, received: receivedInviteOf(stored, organization, isForMe) };
}

export async function join(tx: Tx, invite: StoredInvite, { userId }: UserCaller): Promise<void> {
  const { organizationId, role, teams, email } = invite;
  if (!(await store.insertMember(tx, { organizationId, userId, role }))) throw new AppError('member/exists');
  // A team may have been deleted since.
  await store.setTeamsOf(tx, { organizationId, userId }, await store.findTeamIds(tx, organizationId, teams));
  await store.registerInvited(tx, userId, email.split('@')[0] ?? email);
}

/** Why an invite can't be answered, in its current state; with another token it is a different invite. */
export async function reasonOf(tx: Tx, { organizationId, tokenHash }: StoredInvite): Promise<AppError> {
  const now = await invites.findInvite(tx, organizationId, { tokenHash });
  if (!now) return notFound();
  if (now.status === 'revoked') return new AppError('invite/revoked');
  return new AppError(now.status === 'pending' ? 'invite/expired' : 'invite/used');
}

/** Locked, and not yet answered: nobody answers it until the caller's transaction ends. */
export async function requireOpen(tx: Tx, organizationId: string, id: string): Promise<StoredInvite> {
  const stored = await invites.findInvite(tx, organizationId, { id }, true);
  if (!stored) throw notFound();
  if (stored.status === 'accepted' || stored.status === 'declined') throw new AppError('invite/used');
  return stored;
}

export async function refuseMembers(tx: Tx, organizationId: string, emails: string[]): Promise<void> {
  const members = await store.findMemberEmails(tx, organizationId, emails);
  if (members.length === 0) return;
  const errors = members.map((email) => ({ path: 'email', message: `${email} is a member already.` }));
  throw new AppError('member/exists', undefined, { errors });
}
