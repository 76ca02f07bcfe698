import type { privacy as contract } from '../../../contract/privacy.ts';
import { inAgent } from '../../access/gate.ts';
import { membershipChanged } from '../../access/membership.ts';
import { AppError, notFound } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import { speakFor, type Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { endMembership, findMember, isLastOwner } from '../member/store.ts';
import { findOrganization, listOfUser } from '../organization/store.ts';
import { exportHandlers } from './export-handlers.ts';
import { erasureIdOf, erasureOf } from './receipt.ts';
import { retentionHandlers } from './retention-handlers.ts';
import * as store from './store.ts';

/** What the end of a session means for its browser; provided by `features/identity`. */
interface Around {
  endSessions: (userId: string) => Promise<unknown>;
}

type Erasing = 'erase' | 'eraseEndUser' | 'getErasure';

export function privacyHandlers(deps: Deps, around: Around): Handlers<typeof contract> {
  return { ...exportHandlers(deps), ...retentionHandlers(deps), ...erasureHandlers(deps, around) };
}

function erasureHandlers(deps: Deps, { endSessions }: Around): Pick<Handlers<typeof contract>, Erasing> {
  const { db, jobs, vault } = deps;

  const begin = async (tx: Tx, who: { personId: string; ofAgent: string | null }) => {
    const { erasure, isNew } = await store.beginErasure(tx, who);
    if (isNew) await jobs.enqueue(tx, 'privacy.erase', { erasureId: erasure.id });
    return erasure;
  };

  return {
    erase: async (_input, { userId }) => {
      const { left, begun } = await db.in({ userId }, async (tx) => ({
        left: await leaveAll(tx, userId),
        begun: await begin(tx, { personId: userId, ofAgent: null }),
      }));
      await endSessions(userId);
      for (const organizationId of left) await membershipChanged(deps, organizationId, userId);
      return { erasure: erasureOf(vault, begun) };
    },

    eraseEndUser: async ({ id: agentId, userId }, caller, context) =>
      inAgent(db, caller, agentId, 'agent.write', async (tx, { organizationId, name }) => {
        if (!(await store.hasTalked(tx, { organizationId, agentId }, userId))) throw notFound();
        const begun = await begin(tx, { personId: userId, ofAgent: agentId });
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'privacy.eraseEndUser',
          target: { id: agentId, name },
          after: { erasure: begun.id },
        });
        return { erasure: erasureOf(vault, begun) };
      }),

    getErasure: async ({ token }) => {
      const id = erasureIdOf(vault, token);
      const found = id === undefined ? undefined : await store.findErasure(db.unscoped, id);
      if (!found) throw notFound();
      return { erasure: erasureOf(vault, found) };
    },
  };
}

/** Ends all of a person's memberships; returns the organizations. Errors: 409 if someone else must become an owner first. */
async function leaveAll(tx: Tx, userId: string): Promise<string[]> {
  const mine = await listOfUser(tx, userId);
  const ids = mine.map(({ id }) => id).toSorted();
  for (const id of ids) {
    await speakFor(tx, id);
    // Like other changes of ownership: one after another.
    const found = await findOrganization(tx, id, true);
    const me = found && (await findMember(tx, id, { userId }));
    if (!me) continue;
    if (await isLastOwner(tx, me))
      throw new AppError(
        'member/last-owner',
        `Make someone else an owner of ${found.name}, or delete it. Then try again.`,
      );
    await endMembership(tx, me);
  }
  return ids;
}
