import type { user as contract, UserProfile } from '../../../contract/user.ts';
import { AppError, notFound } from '../../app-error.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import type { Handlers } from '../../call.ts';
import type { User } from '../../identity/store.ts';
import * as store from './store.ts';

export function userHandlers({ db }: Deps): Handlers<typeof contract> {
  const change = async (
    id: string,
    changes: Parameters<typeof store.updateUser>[2],
  ): Promise<UserProfile> => {
    try {
      const changed = await db.in({}, (tx) => store.updateUser(tx, id, changes));
      if (!changed) throw notFound();
      return profileOf(changed);
    } catch (error) {
      if (isUniqueViolation(error, 'user_username')) throw usernameTaken();
      throw error;
    }
  };
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
      return { user: { ...profileOf(found), username: found.username } };
    },

    checkUsername: async ({ username }, caller) => {
      const found = await db.in({}, (tx) => store.findByUsername(tx, username));
      return { available: found === undefined || found.id === caller.userId };
    },

    register: async (profile, caller) => ({
      user: await change(caller.userId, { ...profile, registered: true }),
    }),

    updateProfile: async ({ uid, ...profile }, caller) => {
      if (uid !== caller.userId) throw notFound();
      return { user: await change(uid, profile) };
    },
  };
}

function usernameTaken(): AppError {
  const message = 'This username is taken.';
  return new AppError('user/username-taken', message, { errors: [{ path: 'username', message }] });
}

function profileOf({ id, username, name, profilePhoto, email }: User): UserProfile {
  return { uid: id, username, name, profilePhoto, email };
}
