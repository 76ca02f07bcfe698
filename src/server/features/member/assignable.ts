import type { Role } from '../../../contract/access.ts';
import { AppError, notFoundAt } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import { findTeamIds } from './store.ts';

/** Ownership is transferred by the owner to a single person; it isn't assigned like other roles. */
export function requireAssignable<R extends Role | undefined>(role: R): asserts role is Exclude<R, 'owner'> {
  if (role === 'owner')
    throw new AppError('auth/forbidden', 'Ownership is transferred, not assigned as a role.');
}

/** Another organization's team doesn't exist here. */
export async function requireTeams(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  if ((await findTeamIds(tx, organizationId, ids)).length !== new Set(ids).size) throw notFoundAt('teams');
}
