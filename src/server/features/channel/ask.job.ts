import { pluginTypes } from '../../../contract/plugin-names.ts';
import { AppError } from '../../app-error.ts';
import { problemIn } from '../../channels/channel.ts';
import { openChannel } from '../../channels/open-channel.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { keep } from './receive.ts';
import { renewIn } from './renew.ts';
import * as store from './store.ts';

/** How often it is looked for plugins whose service is to be asked. */
export const ASK_SWEEP_MS = 5_000;
/** Whoever has taken one and dies, or cannot ask, leaves it to others for so long. */
const TAKEN_SECONDS = 60;
const PLUGINS_A_SWEEP = 200;

/** Has every service asked that sends nothing. Several processes may do so at once: each plugin falls to one of them. */
export async function askDueChannels({ db, jobs, channels }: Deps): Promise<void> {
  const types = pluginTypes.filter((type) => channels.find(type)?.isAsked);
  if (types.length === 0) return;
  const due = await store.takeDue(db, types, { most: PLUGINS_A_SWEEP, takenSeconds: TAKEN_SECONDS });
  for (const key of due)
    await db.in({ organizationId: key.organizationId }, (tx) => jobs.enqueue(tx, 'channel.ask', key));
}

/**
 * Takes what people wrote to one account. What has come and how far was read are committed together, each message with its job,
 * so that a kill loses nothing; what is read again is known again. What its service says is the plugin's health.
 */
export function askChannel(deps: Deps) {
  const renew = renewIn(deps);
  return async ({ organizationId, pluginId }: JobData['channel.ask']): Promise<void> => {
    const { db } = deps;
    const found = await db.in({ organizationId }, (tx) => store.findPlugin(tx, organizationId, pluginId));
    if (found?.plugin.status !== 'active') return;
    try {
      const plugin = await renew(found.plugin);
      const polled = await openChannel(deps, plugin)?.poll?.(plugin.asked ?? {}, plugin.updatedAt);
      if (!polled) return;
      await db.in({ organizationId }, async (tx) => {
        for (const message of polled.messages) await keep(deps, tx, plugin, message);
        await store.noteAsked(tx, plugin, polled.asked);
        await store.noteHealth(tx, plugin, problemIn(polled.asked));
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await db.in({ organizationId }, (tx) => store.noteHealth(tx, found.plugin, error.message));
    }
  };
}
