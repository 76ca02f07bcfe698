import type { file as contract } from '../../../contract/file.ts';
import { inOrganization } from '../../access/gate.ts';
import { planOf, requireRoom, requireWithin } from '../../access/quota.ts';
import { invalidField } from '../../app-error.ts';
import type { Handlers } from '../../call.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { fileNameOf } from './file-name.ts';
import { createFinish } from './finish.ts';
import { keepFile } from './keep-file.ts';
import type { Uploads } from './uploads.ts';

export function fileHandlers(deps: Deps, uploads: Uploads): Handlers<typeof contract> {
  const finish = createFinish(deps, uploads);
  return {
    upload: async ({ organizationId, media }, caller) => {
      const { config } = deps;
      await inOrganization(deps.db, caller, organizationId, 'agent.write', async (tx) => {
        const plan = await planOf(tx, config, organizationId);
        if (plan) requireWithin(config, plan.planType, 'largestFileBytes', media.size);
      });
      if (media.size === 0) throw invalidField('media', 'The file is empty.');
      const data = Buffer.from(await media.arrayBuffer());
      const name = fileNameOf(media instanceof File ? media.name : '');
      const file = { id: newId('file'), organizationId, name, data };
      return {
        file: await keepFile(deps, caller, file, {
          before: (tx) => requireRoom(tx, config, organizationId, 'storedBytes', data.length),
        }),
      };
    },

    finish: async ({ uploadId }, caller) => ({ file: await finish(uploadId, caller) }),
  };
}
