import type { Role } from '../../../contract/access.ts';
import { AppError, notFoundAt } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import { findTeamIds } from './store.ts';

/** Ownership is handed over, by whoever has it and to one person; it is not given beside the others. */
export function requireAssignable<R extends Role | undefined>(role: R): asserts role is Exclude<R, 'owner'> {
  if (role === 'owner')
    throw new AppError('auth/forbidden', 'Ownership is transferred, not assigned as a role.');
}

/** A team of another organization does not exist here. */
export async function requireTeams(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  if ((await findTeamIds(tx, organizationId, ids)).length !== new Set(ids).size) throw notFoundAt('teams');
}
