import * as z from 'zod';
import { name, PhotoAddress, text } from './common.ts';
import { idOf } from './id.ts';
import { USERNAME_CHECKS_PER_MINUTE } from './limits.ts';
import { route } from './route.ts';

/** 3 to 30 letters, digits, `_` or `-`, beginning with a letter; compared without case. */
export const Username = text(30).regex(
  /^[A-Za-z][A-Za-z0-9_-]{2,29}$/,
  'Use 3 to 30 letters, digits, _ or -, beginning with a letter.',
);

/** What anybody may know of a user. */
export const PublicUser = z.object({
  uid: idOf('user'),
  username: z.string(),
  name: z.string(),
  profilePhoto: z.string(),
});

export const UserProfile = PublicUser.extend({
  username: z.string().nullable(),
  email: z.string().nullable(),
});
export type UserProfile = z.infer<typeof UserProfile>;

const Profile = {
  name: name(80),
  username: Username,
  profilePhoto: PhotoAddress.optional(),
};

export const user = {
  /** Only the user themselves; everybody else is a 404. */
  get: route({
    method: 'GET',
    path: '/v1/user/{id}',
    summary: 'Read a user profile',
    access: 'user',
    input: z.strictObject({ id: idOf('user') }),
    output: z.object({ user: UserProfile }),
  }),
  getByUsername: route({
    method: 'GET',
    path: '/v1/user/username/{username}',
    summary: 'Read a public profile',
    access: 'public',
    input: z.strictObject({ username: text(30, 1) }),
    output: z.object({ user: PublicUser }),
  }),
  checkUsername: route({
    method: 'GET',
    path: '/v1/user/username/{username}/check',
    summary: 'Is this username free?',
    limit: { requests: USERNAME_CHECKS_PER_MINUTE, seconds: 60 },
    access: 'user',
    input: z.strictObject({ username: Username }),
    output: z.object({ available: z.boolean() }),
  }),
  /** Finishes the registration of the signed-in user, who is a member from the next token on. */
  register: route({
    method: 'POST',
    path: '/v1/user',
    summary: 'Register',
    access: 'user',
    input: z.strictObject(Profile),
    output: z.object({ user: UserProfile }),
  }),
  updateProfile: route({
    method: 'PUT',
    path: '/v1/user/{uid}/profile',
    summary: 'Change a user profile',
    access: 'user',
    input: z.strictObject({ uid: idOf('user'), ...Profile }).partial({ name: true, username: true }),
    output: z.object({ user: UserProfile }),
  }),
};
