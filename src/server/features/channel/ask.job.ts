import { pluginTypes } from '../../../contract/plugin-names.ts';
import { AppError } from '../../app-error.ts';
import { problemIn } from '../../channels/channel.ts';
import { openChannel } from '../../channels/open-channel.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { keep } from './receive.ts';
import { renewIn } from './renew.ts';
import * as store from './store.ts';

/** How often to look for plugins whose service is due to be polled. */
export const ASK_SWEEP_MS = 5_000;
/** How long a plugin stays claimed if the process that took it dies or can't poll. */
const TAKEN_SECONDS = 60;
const PLUGINS_A_SWEEP = 200;

/** Has every service polled that doesn't push. Several processes may do so at once: each plugin is taken by one of them. */
export async function askDueChannels({ db, jobs, channels }: Deps): Promise<void> {
  const types = pluginTypes.filter((type) => channels.find(type)?.isAsked);
  if (types.length === 0) return;
  const due = await store.takeDue(db, types, { most: PLUGINS_A_SWEEP, takenSeconds: TAKEN_SECONDS });
  for (const key of due)
    await db.in({ organizationId: key.organizationId }, (tx) => jobs.enqueue(tx, 'channel.ask', key));
}

/**
 * Receives the messages written to one account. Messages and the read position are committed together, each message
 * with its job, so that a kill loses nothing; duplicates are recognized. What its service responds determines the
 * plugin's health.
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
