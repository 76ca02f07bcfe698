import type { agentFile as contract } from '../../../contract/agent-file.ts';
import { inOrganization } from '../../access/gate.ts';
import { requireRoom } from '../../access/quota.ts';
import { AppError, notFound } from '../../app-error.ts';
import { callerId, FileStream, type Handlers, type MemberCaller } from '../../call.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { findAgent } from '../chatbot/store.ts';
import { openFile } from './open-file.ts';
import * as store from './store.ts';

/** The caller's resumable uploads; implemented by `features/file/uploads.ts`. Errors: 404 for anyone else's. */
interface OwnUploads {
  find: (
    caller: MemberCaller,
    id: string,
  ) => Promise<{ organizationId: string; sizeBytes: number; receivedBytes: number; fileId: string | null }>;
}

export function agentFileHandlers(deps: Deps, uploads: OwnUploads): Handlers<typeof contract> {
  const { config, db, jobs } = deps;
  /** Checked again at the end: only then is it known what the import brings. */
  const begin = async (tx: Tx, values: Parameters<typeof store.insertImport>[1]) => {
    await requireRoom(tx, config, values.organizationId, 'agents');
    const made = await store.insertImport(tx, values);
    await jobs.enqueue(tx, 'agent.import', { organizationId: made.organizationId, importId: made.id });
    return { import: store.importOf(made) };
  };

  return {
    export: async ({ id, organizationId }, caller) => {
      const { handle, bytes } = await openFile(deps, (write) =>
        inOrganization(db, caller, organizationId, 'agent.write', async (tx, { agents }) => {
          const agent = await findAgent(tx, organizationId, id, agents);
          if (!agent) throw notFound();
          return write(tx, agent);
        }),
      );
      return new FileStream(`${handle}.zip`, 'application/zip', bytes);
    },

    import: async ({ organizationId, uploadId, name }, caller, { address }) => {
      await inOrganization(db, caller, organizationId, 'agent.write', async () => {});
      const upload = await uploads.find(caller, uploadId);
      if (upload.organizationId !== organizationId) throw notFound();
      if (upload.receivedBytes !== upload.sizeBytes || upload.fileId !== null)
        throw new AppError('storage/upload-unfinished');
      const createdBy = callerId(caller);
      return inOrganization(db, caller, organizationId, 'agent.write', (tx) =>
        begin(tx, { id: newId('agentImport'), organizationId, uploadId, name, createdBy, address }),
      );
    },

    getImport: async ({ importId, organizationId }, caller) => {
      const found = await inOrganization(db, caller, organizationId, 'agent.write', (tx) =>
        store.findImport(tx, { id: importId, organizationId }),
      );
      if (!found) throw notFound();
      return { import: store.importOf(found) };
    },

    duplicate: async ({ id, organizationId, name }, caller, { address }) =>
      inOrganization(db, caller, organizationId, 'agent.write', async (tx, { agents }) => {
        if (!(await findAgent(tx, organizationId, id, agents))) throw notFound();
        const createdBy = callerId(caller);
        return begin(tx, {
          id: newId('agentImport'),
          organizationId,
          fromAgentId: id,
          name,
          createdBy,
          address,
        });
      }),
  };
}
