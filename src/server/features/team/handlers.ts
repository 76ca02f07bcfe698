import type { Team, team as contract } from '../../../contract/team.ts';
import { inOrganization, inOrganizationAlone, organizationOf } from '../../access/gate.ts';
import { requireSeen } from '../../access/seen.ts';
import { membershipChanged } from '../../access/membership.ts';
import { requireRoom } from '../../access/quota.ts';
import type { Standing } from '../../access/standing.ts';
import { notFound, notFoundAt } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import { cutPart, partOf, readNameAndId } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { endUnseen } from '../member/store.ts';
import * as store from './store.ts';

/** Changes are serialized per organization: a member removed concurrently ends up in no team. */
export function teamHandlers(deps: Deps): Handlers<typeof contract> {
  const { config, db, realtime } = deps;
  /** Teams decide who sees which agents: a person who loses access is disconnected at once, and the members are told. */
  const tell = async (organizationId: string, ...teams: Team[]): Promise<void> => {
    await realtime.recheckWatchers([...new Set(teams.flatMap(({ agents }) => agents))]);
    for (const userId of new Set(teams.flatMap(({ members }) => members))) {
      await membershipChanged(deps, organizationId, userId);
    }
  };

  return {
    list: async ({ orgId, ...asked }, caller) => {
      const part = partOf(asked, readNameAndId);
      const found = await inOrganization(db, caller, orgId, 'organization.read', (tx, { agents }) =>
        store.listTeams(tx, orgId, agents, part),
      );
      const { rows: teams, nextCursor } = cutPart(found, part, ({ name, id }) => [name, id]);
      return { teams, nextCursor };
    },

    get: async ({ id }, caller) => {
      const organizationId = await organizationOf(db, 'team', id);
      const team = await inOrganization(db, caller, organizationId, 'organization.read', (tx, standing) =>
        requireTeam(tx, organizationId, id, standing),
      );
      return { team };
    },

    create: async ({ organizationId, name, agents }, caller, context) => {
      const team = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx, standing) => {
          await requireRoom(tx, config, organizationId, 'teams');
          const id = await store.insertTeam(tx, organizationId, name);
          if (!(await store.setAgents(tx, { id, organizationId }, agents))) throw notFoundAt('agents');
          const made = await requireTeam(tx, organizationId, id, standing);
          await endUnseen(tx, organizationId);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'team.create',
            target: made,
            after: { name, agents },
          });
          return made;
        },
      );
      await tell(organizationId, team);
      return { team };
    },

    update: async ({ id, name, agents, members, seen = {} }, caller, context) => {
      const organizationId = await organizationOf(db, 'team', id);
      const { before, after } = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx, standing) => {
          const before = await requireTeam(tx, organizationId, id, standing);
          requireSeen(before, seen, { name, agents, members });
          if (name !== undefined) await store.renameTeam(tx, id, name);
          if (agents && !(await store.setAgents(tx, before, agents))) throw notFoundAt('agents');
          if (members && !(await store.setMembers(tx, before, members))) throw notFoundAt('members');
          const after = await requireTeam(tx, organizationId, id, standing);
          await endUnseen(tx, organizationId);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'team.update',
            target: before,
            before,
            after,
          });
          return { before, after };
        },
      );
      await tell(organizationId, before, after);
      return { team: after };
    },

    remove: async ({ id }, caller, context) => {
      const organizationId = await organizationOf(db, 'team', id);
      const gone = await inOrganizationAlone(
        db,
        caller,
        organizationId,
        'organization.manage',
        async (tx, standing) => {
          const team = await requireTeam(tx, organizationId, id, standing);
          await store.deleteTeam(tx, id);
          await endUnseen(tx, organizationId);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'team.remove',
            target: team,
            before: team,
          });
          return team;
        },
      );
      await tell(organizationId, gone);
      return { deleted: true };
    },
  };
}

async function requireTeam(tx: Tx, organizationId: string, id: string, { agents }: Standing): Promise<Team> {
  const [found] = await store.listTeams(tx, organizationId, agents, { id });
  if (!found) throw notFound();
  return found;
}
