import { cutText } from '../../../contract/cut-text.ts';
import { guest } from '../../../contract/guest.ts';
import type { ProviderId } from '../../../contract/identity.ts';
import { USER_NAME_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { GoogleAccount } from '../../identity/google.ts';
import { providersOf } from '../../identity/identity.ts';
import { findAccounts, type User } from '../../identity/store.ts';
import * as store from './store.ts';

/** Who someone is after proving an account or address, by the rules of docs/decisions/0010. */
export interface SignedIn {
  user: User;
  outcome: 'signed-in' | 'linked' | 'merged';
  /** The guest who was merged into `user` and no longer exists. */
  merged?: { guest: User; sessionIds: string[] };
  /** The address that the one just proven has replaced. */
  former?: string;
}

/** `currentId` is the signed-in user. For a non-guest, proving someone else's address switches to that user. */
export async function signInByEmail(tx: Tx, email: string, currentId: string | undefined): Promise<SignedIn> {
  await store.lockWaysIn(tx, [`email ${email}`]);
  const current = await findCurrent(tx, currentId);
  const known = await store.findByEmail(tx, email);
  if (known) return current?.isAnonymous ? merge(tx, current, known) : { user: known, outcome: 'signed-in' };
  if (current && (current.isAnonymous || current.email === null)) {
    return { user: await store.setEmail(tx, current.id, email), outcome: 'linked' };
  }
  return { user: await store.insertPerson(tx, localPartOf(email), email), outcome: 'signed-in' };
}

/**
 * Whoever requested it has proven a new address. Errors: 400 if they are no longer signed in, 409 if the address is
 * someone else's; nothing changes.
 */
export async function changeEmail(
  tx: Tx,
  email: string,
  { userId, currentId }: { userId: string; currentId: string | undefined },
): Promise<SignedIn> {
  await store.lockWaysIn(tx, [`email ${email}`]);
  const current = await findCurrent(tx, currentId);
  if (current?.id !== userId)
    throw new AppError('auth/invalid-action-code', 'Sign in first as the person whose address it changes.');
  const known = await store.findByEmail(tx, email);
  if (known && known.id !== userId)
    throw new AppError('auth/account-exists', 'This address belongs to someone else here.');
  const user = await store.setEmail(tx, userId, email);
  if (current.email === null || current.email === email) return { user, outcome: 'linked' };
  return { user, outcome: 'linked', former: current.email };
}

/** Errors: 409 `auth/account-exists`, with nothing changed, if the account isn't the signed-in person's. */
export async function signInByGoogle(
  tx: Tx,
  google: GoogleAccount,
  currentId: string | undefined,
): Promise<SignedIn> {
  await store.lockWaysIn(tx, [`email ${google.email}`, `google ${google.subject}`]);
  const current = await findCurrent(tx, currentId);
  const linked = await store.findByAccount(tx, google.subject);
  const known = linked ?? (await store.findByEmail(tx, google.email));
  if (known && current && known.id !== current.id && !current.isAnonymous)
    throw new AppError('auth/account-exists');
  const owner = known ?? current ?? (await store.insertPerson(tx, nameOf(google), google.email));
  if (!linked) await link(tx, google, owner);
  if (!current) return { user: owner, outcome: 'signed-in' };
  if (owner.id !== current.id) return merge(tx, current, owner);
  if (!current.isAnonymous) return { user: current, outcome: 'linked' };
  const name = current.name === guest.name ? nameOf(google) : undefined;
  return { user: await store.setEmail(tx, current.id, google.email, name), outcome: 'linked' };
}

/** Removes a sign-in method from a person, who keeps at least one. Errors: 404 if they don't have it, 409 if it is the last. */
export async function unlink(tx: Tx, userId: string, providerId: ProviderId): Promise<User> {
  const user = await store.findUser(tx, userId);
  const providers = user ? providersOf(user, await findAccounts(tx, userId)) : [];
  if (!user || !providers.some((provider) => provider.providerId === providerId)) throw notFound();
  if (providers.length === 1) throw new AppError('auth/last-provider');
  if (providerId === 'email') return store.setEmail(tx, userId, null);
  await store.deleteAccount(tx, userId);
  return user;
}

/** Reread and locked: the token's information may be an hour old. */
async function findCurrent(tx: Tx, id: string | undefined): Promise<User | undefined> {
  if (id === undefined) return undefined;
  const current = await store.findUser(tx, id);
  if (!current) throw new AppError('auth/unauthenticated');
  return current;
}

async function link(tx: Tx, { subject, email }: GoogleAccount, owner: User): Promise<void> {
  const accounts = await findAccounts(tx, owner.id);
  if (accounts.some(({ provider }) => provider === 'google')) {
    throw new AppError('auth/account-exists', 'Another Google account is already linked.');
  }
  await store.insertAccount(tx, { provider: 'google', subject, userId: owner.id, email });
}

async function merge(tx: Tx, guest: User, person: User): Promise<SignedIn> {
  const sessionIds = await store.mergeGuest(tx, guest.id, person.id);
  const user = (await store.findUser(tx, person.id)) as User;
  return { user, outcome: 'merged', merged: { guest, sessionIds } };
}

function nameOf({ name, email }: GoogleAccount): string {
  const said = name?.toWellFormed().replaceAll('\u0000', '').trim() ?? '';
  return cutText(said, USER_NAME_MAX_CHARACTERS).trim() || localPartOf(email);
}

function localPartOf(email: string): string {
  return (email.split('@')[0] ?? email).slice(0, 80);
}
