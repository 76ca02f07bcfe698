import * as z from 'zod';
import { roles } from './access.ts';
import { EmailAddress, nextCursor, pageIfAsked, text, Timestamp } from './common.ts';
import { idOf } from './id.ts';
import { INVITE_READS_PER_MINUTE, INVITE_REQUESTS_PER_HOUR, INVITES_AT_ONCE_MAX } from './limits.ts';
import { route } from './route.ts';

export const inviteStatuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;

/** Roles that can be assigned; an organization gets another owner only by a transfer. */
export const givenRoles = ['admin', 'editor', 'viewer'] as const;

export const Member = z.object({
  id: idOf('member'),
  organizationId: idOf('organization'),
  userId: idOf('user'),
  name: z.string(),
  username: z.string().nullable(),
  email: z.string().nullable(),
  profilePhoto: z.string(),
  role: z.enum(roles),
  teams: z.array(idOf('team')),
  joinedAt: Timestamp,
});
export type Member = z.infer<typeof Member>;

export const Invite = z.object({
  id: idOf('invite'),
  organizationId: idOf('organization'),
  email: z.string(),
  role: z.enum(givenRoles),
  teams: z.array(idOf('team')),
  status: z.enum(inviteStatuses),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type Invite = z.infer<typeof Invite>;

/** What the bearer of an invite token may know: whose invite it is and, masked, for whom. */
export const ReceivedInvite = z.object({
  organizationName: z.string(),
  organizationPhoto: z.string(),
  /** `a…@example.com`. */
  email: z.string(),
  role: z.enum(givenRoles),
  status: z.enum(inviteStatuses),
  /** The caller's verified address is the one that was invited. */
  isForMe: z.boolean(),
});
export type ReceivedInvite = z.infer<typeof ReceivedInvite>;

/** One address, or several separated by commas, semicolons or line breaks. */
const EmailList = text(10_000)
  .transform((list) => [
    ...new Set(
      list
        .split(/[,;\n]/)
        .map((part) => part.trim())
        .filter(Boolean),
    ),
  ])
  .pipe(z.array(EmailAddress).min(1, 'An e-mail address is required.').max(INVITES_AT_ONCE_MAX));

export const NewInvite = z.strictObject({
  organizationId: idOf('organization'),
  email: EmailList,
  /** An owner can't be invited: that is a 403. */
  role: z.enum(roles),
  teams: z.array(idOf('team')).max(50).default([]),
});

const One = z.object({ member: Member });

export const member = {
  list: route({
    method: 'GET',
    path: '/v1/platform/member/organization/{orgId}',
    summary: "An organization's members",
    input: z.strictObject({ orgId: idOf('organization'), ...pageIfAsked }),
    output: z.object({ members: z.array(Member), nextCursor }),
  }),
  get: route({
    method: 'GET',
    path: '/v1/platform/member/{id}',
    summary: 'Read a member',
    input: z.strictObject({ id: idOf('member') }),
    output: One,
  }),
  update: route({
    method: 'PUT',
    path: '/v1/platform/member/{id}',
    summary: "Change a member's role and teams",
    input: z.strictObject({
      id: idOf('member'),
      /** Ownership is transferred by its own call: `owner` is a 403. */
      role: z.enum(roles).optional(),
      teams: z.array(idOf('team')).max(50).optional(),
    }),
    output: One,
  }),
  /** Ends the member's access immediately; their work stays. */
  remove: route({
    method: 'DELETE',
    path: '/v1/platform/member/{id}',
    summary: 'Remove a member',
    input: z.strictObject({ id: idOf('member') }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  listInvites: route({
    method: 'GET',
    path: '/v1/platform/member/invite/organization/{orgId}',
    summary: "An organization's invites, newest first",
    input: z.strictObject({ orgId: idOf('organization'), ...pageIfAsked }),
    output: z.object({ invites: z.array(Invite), nextCursor }),
  }),
  /** `invite` is the first of `invites`, which has one per address. */
  invite: route({
    method: 'POST',
    path: '/v1/platform/member/invite',
    summary: 'Invite people',
    limit: { requests: INVITE_REQUESTS_PER_HOUR, seconds: 3600 },
    input: NewInvite,
    output: z.object({ invite: Invite, invites: z.array(Invite) }),
  }),
  getInvite: route({
    method: 'GET',
    path: '/v1/platform/member/invite/{token}',
    summary: 'Read an invite sent to me',
    access: 'user',
    limit: { requests: INVITE_READS_PER_MINUTE, seconds: 60 },
    input: z.strictObject({ token: text(128, 1) }),
    output: z.object({ invite: ReceivedInvite }),
  }),
  /** Once, by the person whose verified address was invited; accepting makes them a member. */
  answerInvite: route({
    method: 'PUT',
    path: '/v1/platform/member/invite/{inviteToken}',
    summary: 'Accept or decline an invite',
    access: 'user',
    limit: { requests: INVITE_READS_PER_MINUTE, seconds: 60 },
    input: z.strictObject({ inviteToken: text(128, 1), status: z.enum(['accepted', 'declined']) }),
    output: z.object({ invite: ReceivedInvite, organizationId: idOf('organization').nullable() }),
  }),
  /** A new link, valid for the full period again; the old one stops working. */
  resendInvite: route({
    method: 'POST',
    path: '/v1/platform/member/invite/{id}/resend',
    summary: 'Resend an invite',
    limit: { requests: INVITE_REQUESTS_PER_HOUR, seconds: 3600 },
    input: z.strictObject({ id: idOf('invite') }),
    output: z.object({ invite: Invite }),
  }),
  revokeInvite: route({
    method: 'POST',
    path: '/v1/platform/member/invite/{id}/revoke',
    summary: 'Revoke an invite',
    input: z.strictObject({ id: idOf('invite') }),
    output: z.object({ invite: Invite }),
  }),
};
