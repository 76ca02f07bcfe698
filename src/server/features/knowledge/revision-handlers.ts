import type { revision as contract } from '../../../contract/revision.ts';
import type { Permission } from '../../../contract/access.ts';
import { KNOWLEDGE_REVISIONS_KEPT } from '../../../contract/limits.ts';
import { inAgent } from '../../access/gate.ts';
import { AppError, notFound } from '../../app-error.ts';
import { callerId, type Handlers, type MemberCaller, type RequestContext } from '../../call.ts';
import { decodeCursor, encodeCursor, readId, readSequence } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { itemKey, openItem, presentItem } from './item.ts';
import type { ItemKey } from './keys.ts';
import { revisionOf } from './present.ts';
import { restoreRevision } from './restore.ts';
import * as store from './revision-store.ts';
import type { StoredRevision } from './revision-store.ts';
import { dropRevision, settleItem } from './revise.ts';
import { setState, type StoredKnowledge } from './store.ts';

interface Named {
  id: string;
  knowledgeId: string;
  number: number;
}
interface Opened {
  key: ItemKey;
  item: StoredKnowledge;
  revision: StoredRevision;
}

export function revisionHandlers({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handlers<typeof contract> {
  /** With the item locked. Errors: 404. */
  const open = <T>(
    { id, knowledgeId, number }: Named,
    caller: MemberCaller,
    permission: Permission,
    work: (tx: Tx, opened: Opened) => Promise<T>,
  ): Promise<T> =>
    inAgent(db, caller, id, permission, async (tx, agent) => {
      const key = itemKey(agent, knowledgeId);
      const item = await openItem(tx, key);
      const revision = await store.findRevision(tx, key, number);
      if (!revision) throw notFound();
      return work(tx, { key, item, revision });
    });

  const decide = (
    action: 'apply' | 'discard' | 'restore',
    act: (tx: Tx, opened: Opened, caller: MemberCaller) => Promise<number>,
  ) => {
    return async (named: Named, caller: MemberCaller, context: RequestContext) =>
      open(named, caller, 'agent.write', async (tx, opened) => {
        const number = await act(tx, opened, caller);
        const { key, item } = opened;
        await recordAudit(tx, caller, context, {
          organizationId: key.organizationId,
          action: `revision.${action}`,
          target: { id: key.knowledgeId, name: item.description },
          after: { revision: named.number },
        });
        const revision = await store.findRevision(tx, key, number);
        if (!revision) throw notFound();
        const oldest = await oldestOf(tx, key);
        return { knowledge: await presentItem(tx, key), revision: revisionOf(revision, oldest) };
      });
  };

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

    get: async ({ cursor, count, ...named }, caller) => {
      const after = decodeCursor(cursor, readId);
      return open(named, caller, 'agent.read', async (tx, { key, revision }) => {
        const found = await store.listChanges(tx, key, revision.number, count + 1, after);
        const changes = found.slice(0, count);
        const last = found.length > count ? changes.at(-1) : undefined;
        return {
          revision: revisionOf(revision, await oldestOf(tx, key)),
          changes,
          nextCursor: last ? encodeCursor([last.sourceId]) : null,
        };
      });
    },

    apply: decide('apply', async (tx, { key, revision }, caller) => {
      requireHeld(revision);
      const approvedBy = callerId(caller);
      await store.updateRevision(tx, key, revision.number, { state: 'building', reason: null, approvedBy });
      // By the job: a large one takes its time.
      await setState(tx, key, 'queued', null);
      await jobs.enqueue(tx, 'knowledge.process', key);
      return revision.number;
    }),

    discard: decide('discard', async (tx, { key, item, revision }) => {
      requireHeld(revision);
      await dropRevision(tx, key, revision.number);
      await settleItem(tx, key, item);
      return revision.number;
    }),

    restore: decide('restore', async (tx, { key, item, revision }, caller) => {
      if (revision.state !== 'retired' || revision.number < (await oldestOf(tx, key)))
        throw new AppError('resource/conflict', 'This revision cannot be brought back.');
      const number = await restoreRevision(tx, key, item, revision.number, callerId(caller));
      await jobs.enqueue(tx, 'knowledge.process', key);
      return number;
    }),
  };
}

async function oldestOf(tx: Tx, key: ItemKey): Promise<number> {
  return (await store.oldestKept(tx, key, KNOWLEDGE_REVISIONS_KEPT)) ?? 1;
}

function requireHeld({ state }: StoredRevision): void {
  if (state !== 'held') throw new AppError('resource/conflict', 'This revision waits for nobody.');
}
