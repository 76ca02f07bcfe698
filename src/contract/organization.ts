import * as z from 'zod';
import { roles } from './access.ts';
import { Empty, name, PhotoAddress } from './common.ts';
import { idOf } from './id.ts';
import { IMAGE_MAX_BYTES, PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS } from './limits.ts';
import { route } from './route.ts';

export const Organization = z.object({
  id: idOf('organization'),
  name: z.string(),
  profilePhoto: z.string(),
});
export type Organization = z.infer<typeof Organization>;

const One = z.object({ data: z.object({ organization: Organization }), organization: Organization });
const Many = z.object({
  data: z.object({ organizations: z.array(Organization) }),
  organizations: z.array(Organization),
});

export const organization = {
  list: route({
    method: 'GET',
    path: '/v1/platform/organization',
    summary: 'My organizations',
    input: Empty,
    output: Many,
  }),
  get: route({
    method: 'GET',
    path: '/v1/platform/organization/{id}',
    summary: 'Read an organization',
    input: z.strictObject({ id: idOf('organization') }),
    output: One,
  }),
  /** Errors: 429 for a caller who creates very many. */
  create: route({
    method: 'POST',
    path: '/v1/platform/organization',
    summary: 'Create an organization',
    input: z.strictObject({
      name: name(80),
      /** From the link that brought its creator here (`/auth?ref=`). */
      ref: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .optional(),
    }),
    output: One,
  }),
  selfRole: route({
    method: 'GET',
    path: '/v1/platform/user-role/organization/{orgId}/self',
    summary: 'My role in an organization',
    input: z.strictObject({ orgId: idOf('organization') }),
    output: z.object({ role: z.enum(roles) }),
  }),
  updateProfile: route({
    method: 'PUT',
    path: '/v1/platform/organization/{id}/profile',
    summary: 'Change an organization',
    input: z.strictObject({
      id: idOf('organization'),
      name: name(80).optional(),
      profilePhoto: PhotoAddress.optional(),
    }),
    output: One,
  }),
  uploadPhoto: route({
    method: 'POST',
    path: '/v1/platform/organization/{id}/profile/media',
    summary: "Upload an organization's photo",
    carrier: 'multipart',
    mediaMaxBytes: IMAGE_MAX_BYTES,
    limit: { requests: PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({ id: idOf('organization'), media: z.instanceof(Blob) }),
    output: One,
  }),
  /** Makes another member the owner; the caller stays as an admin. */
  transfer: route({
    method: 'POST',
    path: '/v1/platform/organization/{id}/transfer',
    summary: 'Transfer an organization',
    input: z.strictObject({ id: idOf('organization'), memberId: idOf('member') }),
    output: One,
  }),
  /** Immediately and permanently: its agents, knowledge, conversations, members and files. */
  remove: route({
    method: 'DELETE',
    path: '/v1/platform/organization/{id}',
    summary: 'Delete an organization',
    input: z.strictObject({
      id: idOf('organization'),
      /** The name, typed by the person deleting it. */
      name: name(80),
    }),
    output: z.object({ deleted: z.literal(true) }),
  }),
  leave: route({
    method: 'POST',
    path: '/v1/platform/organization/{id}/leave',
    summary: 'Leave an organization',
    input: z.strictObject({ id: idOf('organization') }),
    output: z.object({ left: z.literal(true) }),
  }),
};
