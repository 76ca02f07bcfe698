import { Readable } from 'node:stream';
import type { privacy as contract } from '../../../contract/privacy.ts';
import { inOrganization } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import { FileStream, personOf, type Handlers } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { findOrganization } from '../organization/store.ts';
import * as store from './export-store.ts';

type Exporting = Extract<keyof typeof contract, `${string}Export`>;

type Context = Pick<Deps, 'db' | 'jobs' | 'storage'>;

/** Files for who asked for them, and for nobody else: their address is worth nothing without the person. */
export function exportHandlers(deps: Context): Pick<Handlers<typeof contract>, Exporting> {
  const { db } = deps;
  const { begin, newest, read } = filesIn(deps);
  const mine = (userId: string): store.ExportKey => ({ userId, ofOrganization: null });

  return {
    beginExport: async (_input, { userId }) =>
      db.in({ userId }, async (tx) => (await begin(tx, mine(userId))).begun),

    getExport: async (_input, { userId }) => newest(mine(userId)),

    readExport: async ({ exportId }, { userId }) => read(mine(userId), exportId, 'my-data'),

    beginOrganizationExport: async ({ id }, caller, context) =>
      inOrganization(db, caller, id, 'organization.own', async (tx) => {
        const { userId } = personOf(caller);
        const organization = await findOrganization(tx, id);
        if (!organization) throw notFound();
        const { begun, isNew } = await begin(tx, { userId, ofOrganization: id });
        if (isNew)
          await recordAudit(tx, caller, context, {
            organizationId: id,
            action: 'privacy.beginOrganizationExport',
            target: organization,
            after: { export: begun.export.id },
          });
        return begun;
      }),

    getOrganizationExport: async ({ id }, caller) => {
      await inOrganization(db, caller, id, 'organization.own', async () => {});
      return newest({ userId: personOf(caller).userId, ofOrganization: id });
    },

    readOrganizationExport: async ({ id, exportId }, caller) => {
      await inOrganization(db, caller, id, 'organization.own', async () => {});
      return read({ userId: personOf(caller).userId, ofOrganization: id }, exportId, 'organization');
    },
  };
}

function filesIn({ db, jobs, storage }: Context) {
  const begin = async (tx: Tx, key: store.ExportKey) => {
    const { stored, isNew } = await store.beginExport(tx, key);
    if (isNew) await jobs.enqueue(tx, 'privacy.export', { exportId: stored.id });
    return { begun: { export: store.exportOf(stored) }, isNew };
  };
  const newest = async (key: store.ExportKey) => {
    const found = await store.findNewest(db.unscoped, key);
    return { export: found ? store.exportOf(found) : null };
  };
  const read = async (key: store.ExportKey, id: string, name: string) => {
    const found = await store.findNewest(db.unscoped, key);
    if (found?.id !== id || found.state !== 'ready' || !found.storageKey) throw notFound();
    const pieces = storage.drafts.stream(found.storageKey, found.bytes ?? 0);
    return new FileStream(`${name}.zip`, 'application/zip', Readable.from(pieces));
  };
  return { begin, newest, read };
}
