import type { user as contract, UserProfile } from '../../../contract/user.ts';
import { AppError, invalidField, notFound } from '../../app-error.ts';
import { personOf, type Handlers } from '../../call.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { User } from '../../identity/store.ts';
import { removePhoto, requireOwnPhoto, uploadPhoto } from '../../images/photos.ts';
import { onboardingOf } from './onboarding.ts';
import * as store from './store.ts';

export function userHandlers(deps: Deps): Handlers<typeof contract> {
  const { db, jobs } = deps;

  /** A replaced photo is removed in the change that replaces it. */
  const change = async (
    tx: Tx,
    id: string,
    changes: Parameters<typeof store.updateUser>[2],
    photo: 'own' | 'uploaded',
  ): Promise<UserProfile> => {
    const before = await store.lockUser(tx, id);
    if (!before) throw notFound();
    if (photo === 'own') requireOwnPhoto(changes.profilePhoto, before.profilePhoto);
    const changed = await store.updateUser(tx, id, changes);
    if (!changed) throw notFound();
    if (changed.profilePhoto !== before.profilePhoto) await removePhoto(tx, jobs, before.profilePhoto);
    return profileOf(changed);
  };

  const changeProfile = async (id: string, changes: Parameters<typeof store.updateUser>[2]) =>
    db
      .in({}, (tx) => change(tx, id, changes, 'own'))
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'user_username') ? usernameTaken() : error;
      });

  return {
    get: async ({ id }, caller) => {
      if (id !== caller.userId) throw notFound();
      const found = await db.in({}, (tx) => store.findUser(tx, id));
      if (!found) throw notFound();
      return { user: profileOf(found) };
    },

    getByUsername: async ({ username }) => {
      const found = await db.in({}, (tx) => store.findByUsername(tx, username));
      if (!found?.username) throw notFound();
      const { id, name, profilePhoto } = found;
      return { user: { uid: id, username: found.username, name, profilePhoto } };
    },

    checkUsername: async ({ username }, caller) => {
      const found = await db.in({}, (tx) => store.findByUsername(tx, username));
      return { available: found === undefined || found.id === caller.userId };
    },

    register: async (profile, caller) => ({
      user: await changeProfile(caller.userId, { ...profile, registered: true }),
    }),

    updateProfile: async ({ uid, ...profile }, caller) => {
      if (uid !== caller.userId) throw notFound();
      return { user: await changeProfile(uid, profile) };
    },

    uploadPhoto: async ({ uid, media }, caller) => {
      if (uid !== caller.userId) throw notFound();
      const user = await uploadPhoto(deps, media, (profilePhoto) =>
        db.in({}, (tx) => change(tx, uid, { profilePhoto }, 'uploaded')),
      );
      return { user };
    },

    guessLocation: async (_input, _caller, { place }) => ({ location: place }),

    setLocation: async (given, caller) => {
      if (given.timezone && !isTimeZone(given.timezone))
        throw invalidField('timezone', 'Must be a time zone, like Europe/Berlin.');
      const changed = await db.in({}, (tx) => store.mergeLocation(tx, caller.userId, given));
      if (!changed) throw notFound();
      return { user: profileOf(changed) };
    },

    getOnboarding: async (_input, caller) => ({
      onboarding: await onboardingOf(db, personOf(caller).userId),
    }),

    recordOnboarding: async ({ event }, caller) => {
      const { userId } = personOf(caller);
      await db.in({}, (tx) => store.insertOnboardingEvent(tx, userId, event));
      return { onboarding: await onboardingOf(db, userId) };
    },
  };
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function usernameTaken(): AppError {
  const message = 'This username is taken.';
  return new AppError('user/username-taken', message, { errors: [{ path: 'username', message }] });
}

function profileOf({ id, username, name, profilePhoto, email, location }: User): UserProfile {
  return { uid: id, username, name, profilePhoto, email, location: locationOf(location) };
}

/** Null while nothing is known. */
function locationOf(location: User['location']): UserProfile['location'] {
  if (!location || !Object.values(location).some(Boolean)) return null;
  return { country: '', region: '', city: '', postal: '', timezone: '', ...location };
}
