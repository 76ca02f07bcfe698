import { Readable } from 'node:stream';
import type { privacy as contract } from '../../../contract/privacy.ts';
import { inOrganization } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import { FileStream, type ChatCaller, type Handlers, type UserCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { findOrganization } from '../organization/store.ts';
import * as store from './export-store.ts';

type Exporting = Extract<keyof typeof contract, `${string}Export`>;

type Context = Pick<Deps, 'db' | 'jobs' | 'storage'>;

/** Files only for the person who requested them: their address is useless to anyone else. */
export function exportHandlers(deps: Context): Pick<Handlers<typeof contract>, Exporting> {
  const { db, storage } = deps;
  const { begin, newest } = filesIn(deps);

  return {
    beginExport: async ({ of: organizationId }, caller, context) => {
      const { userId } = caller;
      if (organizationId === undefined)
        return db.in({ userId }, async (tx) => (await begin(tx, { userId, ofOrganization: null })).begun);
      return ofOwner(db, caller, organizationId, async (tx, person) => {
        const organization = await findOrganization(tx, organizationId);
        if (!organization) throw notFound();
        const { begun, isNew } = await begin(tx, { userId, ofOrganization: organizationId });
        if (isNew)
          await recordAudit(tx, person, context, {
            organizationId,
            action: 'privacy.beginExport',
            target: organization,
            after: { export: begun.export.id },
          });
        return begun;
      });
    },

    getExport: async ({ of: organizationId }, caller) => {
      if (organizationId !== undefined) await ofOwner(db, caller, organizationId, async () => {});
      return newest({ userId: caller.userId, ofOrganization: organizationId ?? null });
    },

    readExport: async ({ exportId }, caller) => {
      const found = await store.findExport(db.unscoped, exportId);
      if (!found || !store.isReadable(found, caller.userId)) throw notFound();
      const { ofOrganization, storageKey, bytes } = found;
      if (ofOrganization !== null) await ofOwner(db, caller, ofOrganization, async () => {});
      const pieces = storage.drafts.stream(storageKey ?? '', bytes ?? 0);
      const name = ofOrganization === null ? 'my-data' : 'organization';
      return new FileStream(`${name}.zip`, 'application/zip', Readable.from(pieces));
    },
  };
}

/** Visitors own nothing. */
async function ofOwner<T>(
  db: Context['db'],
  caller: ChatCaller,
  organizationId: string,
  work: (tx: Tx, person: UserCaller) => Promise<T>,
): Promise<T> {
  if (caller.kind === 'visitor') throw notFound();
  return inOrganization(db, caller, organizationId, 'organization.own', (tx) => work(tx, caller));
}

function filesIn({ db, jobs }: Context) {
  const begin = async (tx: Tx, key: store.ExportKey) => {
    const { stored, isNew } = await store.beginExport(tx, key);
    if (isNew) await jobs.enqueue(tx, 'privacy.export', { exportId: stored.id });
    return { begun: { export: store.exportOf(stored) }, isNew };
  };
  const newest = async (key: store.ExportKey) => {
    const found = await store.findNewest(db.unscoped, key);
    return { export: found ? store.exportOf(found) : null };
  };
  return { begin, newest };
}
