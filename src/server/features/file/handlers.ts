import { subtle } from 'node:crypto';
import type { file as contract } from '../../../contract/file.ts';
import { inOrganization } from '../../access/gate.ts';
import { invalidField } from '../../app-error.ts';
import { callerId, type Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { fileNameOf } from './file-name.ts';
import { fileTypeOf } from './file-type.ts';
import * as store from './store.ts';

export function fileHandlers({ db, storage }: Deps): Handlers<typeof contract> {
  return {
    upload: async ({ organizationId, media }, caller) => {
      await inOrganization(db, caller, organizationId, 'agent.write', async () => {});
      if (media.size === 0) throw invalidField('media', 'The file is empty.');
      const data = Buffer.from(await media.arrayBuffer());
      const id = newId('file');
      const name = fileNameOf(media instanceof File ? media.name : '');
      const described = { id, name, mediaType: fileTypeOf(name, data), sizeBytes: data.length };
      const sha256 = Buffer.from(await subtle.digest('SHA-256', data)).toString('hex');
      await storage.put(id, data);
      // The role is asked again: it may have been taken away while the bytes were written.
      await inOrganization(db, caller, organizationId, 'agent.write', (tx) =>
        store.insertFile(tx, {
          ...described,
          organizationId,
          sha256,
          storageKey: id,
          createdBy: callerId(caller),
        }),
      ).catch(async (error: unknown) => {
        await storage.remove(id);
        throw error;
      });
      return { file: described };
    },
  };
}
