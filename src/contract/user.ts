import * as z from 'zod';
import { Empty, name, PhotoAddress, text } from './common.ts';
import { idOf } from './id.ts';
import {
  IMAGE_MAX_BYTES,
  PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS,
  USER_NAME_MAX_CHARACTERS,
  USERNAME_CHECKS_PER_MINUTE,
} from './limits.ts';
import { route } from './route.ts';

/** 3 to 30 letters, digits, `_` or `-`, starting with a letter; compared ignoring case, and trimmed of pasted whitespace. */
export const Username = text(30)
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{2,29}$/, 'Use 3 to 30 letters, digits, _ or -, starting with a letter.');

/** What anyone may know about a user. */
export const PublicUser = z.object({
  uid: idOf('user'),
  username: z.string(),
  name: z.string(),
  profilePhoto: z.string(),
});

/** Where a person is, as stated by them or with their consent; everything may be empty. */
export const Location = z.object({
  country: text(80),
  region: text(80),
  city: text(80),
  postal: text(20),
  timezone: text(64),
});

export type Location = z.infer<typeof Location>;

export const onboardingEvents = [
  'organization-created',
  'agent-created',
  'knowledge-added',
  'asked',
  'shared',
  'invited',
  'dismissed',
] as const;

/** Progress of the first steps; a step is completed by doing it, or by its event. */
export const Onboarding = z.object({
  steps: z.array(z.object({ event: z.enum(onboardingEvents), done: z.boolean() })),
  dismissed: z.boolean(),
});

export const UserProfile = PublicUser.extend({
  username: z.string().nullable(),
  email: z.string().nullable(),
  location: Location.nullable(),
});
export type UserProfile = z.infer<typeof UserProfile>;

const Profile = {
  name: name(USER_NAME_MAX_CHARACTERS),
  username: Username,
  profilePhoto: PhotoAddress.optional(),
};

export const user = {
  /** Only for the user themselves; a 404 for everyone else. */
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
  /** Completes the registration of the signed-in user, who is a member as of the next token. */
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
  /**
   * Cropped to a square around the face, if one is found, or else the center, and re-encoded: nothing else of the file
   * is kept.
   */
  uploadPhoto: route({
    method: 'POST',
    path: '/v1/user/{uid}/profile/media',
    summary: 'Upload a profile photo',
    access: 'user',
    carrier: 'multipart',
    mediaMaxBytes: IMAGE_MAX_BYTES,
    limit: { requests: PHOTO_UPLOADS_PER_HOUR_AND_ADDRESS, seconds: 3600 },
    input: z.strictObject({ uid: idOf('user'), media: z.instanceof(Blob) }),
    output: z.object({ user: UserProfile }),
  }),
  /** As reported by the proxy in front of this installation, for the person to review: nothing is stored. */
  guessLocation: route({
    method: 'GET',
    path: '/v1/user/location/guess',
    summary: 'My likely location',
    access: 'user',
    input: Empty,
    output: z.object({ location: Location.partial() }),
  }),
  setLocation: route({
    method: 'POST',
    path: '/v1/user/location',
    summary: 'Set my location',
    access: 'user',
    input: z.strictObject(Location.partial().shape),
    output: z.object({ user: UserProfile }),
  }),
  getOnboarding: route({
    method: 'POST',
    path: '/v1/user/get-onboarding',
    summary: 'The progress of my first steps',
    input: Empty,
    output: z.object({ onboarding: Onboarding }),
  }),
  recordOnboarding: route({
    method: 'POST',
    path: '/v1/user/onboarding',
    summary: 'Record a first step',
    input: z.strictObject({ event: z.enum(onboardingEvents) }),
    output: z.object({ onboarding: Onboarding }),
  }),
};
