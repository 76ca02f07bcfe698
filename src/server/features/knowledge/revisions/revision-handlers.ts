import type { revision as contract } from '../../../../contract/revision.ts';
import { inAgent } from '../../../access/gate.ts';
import { notFound } from '../../../app-error.ts';
import { callerId, type Handlers, type MemberCaller, type RequestContext } from '../../../call.ts';
import { decodeCursor, encodeCursor, readId, readSequence } from '../../../cursor.ts';
import type { Tx } from '../../../db/scope.ts';
import type { Deps } from '../../../deps.ts';
import { recordAudit } from '../../audit/store.ts';
import { apply, discard, oldestOf, restore, type Decide } from './decide.ts';
import { itemKey, openItem, presentItem, titleOfItem } from '../item.ts';
import type { ItemKey } from '../keys.ts';
import { revisionOf } from '../present.ts';
import * as store from './revision-store.ts';

interface Named {
  id: string;
  knowledgeId: string;
  number: number;
}

export function revisionHandlers(deps: Pick<Deps, 'config' | 'db' | 'jobs'>): Handlers<typeof contract> {
  const { db } = deps;
  return {
    list: async ({ id, knowledgeId, cursor, count }, caller) => {
      const before = decodeCursor(cursor, readSequence);
      return inAgent(db, caller, id, 'agent.read', async (tx, agent) => {
        const key = itemKey(agent, knowledgeId);
        await presentItem(tx, key);
        const found = await store.listRevisions(tx, key, count + 1, before);
        const oldest = await oldestOf(tx, key);
        const page = found.slice(0, count);
        const last = found.length > count ? page.at(-1) : undefined;
        return {
          revisions: page.map((revision) => revisionOf(revision, oldest)),
          nextCursor: last ? encodeCursor([last.number]) : null,
        };
      });
    },

    get: async ({ id, knowledgeId, number, cursor, count }, caller) => {
      const after = decodeCursor(cursor, readId);
      return inAgent(db, caller, id, 'agent.read', async (tx, agent) => {
        const key = itemKey(agent, knowledgeId);
        const revision = await requireRevision(tx, key, number);
        const found = await store.listChanges(tx, key, number, count + 1, after);
        const changes = found.slice(0, count);
        const last = found.length > count ? changes.at(-1) : undefined;
        return {
          revision: revisionOf(revision, await oldestOf(tx, key)),
          changes,
          nextCursor: last ? encodeCursor([last.sourceId]) : null,
        };
      });
    },

    apply: decided(deps, 'revision.apply', apply),
    discard: decided(deps, 'revision.discard', discard),
    restore: decided(deps, 'revision.restore', restore),
  };
}

/** A call that decides on a revision; the item is locked, and the decision is recorded in the audit log. */
function decided(
  { config, db, jobs }: Pick<Deps, 'config' | 'db' | 'jobs'>,
  action: 'revision.apply' | 'revision.discard' | 'revision.restore',
  act: Decide,
) {
  return async ({ id, knowledgeId, number }: Named, caller: MemberCaller, context: RequestContext) =>
    inAgent(db, caller, id, 'agent.write', async (tx, agent) => {
      const key = itemKey(agent, knowledgeId);
      const item = await openItem(tx, key);
      const revision = await requireRevision(tx, key, number);
      const touched = await act(tx, { config, jobs }, { key, item, revision, by: callerId(caller) });
      await recordAudit(tx, caller, context, {
        organizationId: key.organizationId,
        action,
        target: { id: key.knowledgeId, name: await titleOfItem(tx, key) },
        after: { revision: number },
      });
      const after = await requireRevision(tx, key, touched);
      const oldest = await oldestOf(tx, key);
      return { knowledge: await presentItem(tx, key), revision: revisionOf(after, oldest) };
    });
}

/** Errors: 404, also if the item doesn't exist. */
async function requireRevision(tx: Tx, key: ItemKey, number: number): Promise<store.StoredRevision> {
  const revision = await store.findRevision(tx, key, number);
  if (!revision) throw notFound();
  return revision;
}
