import { AppError } from '../../app-error.ts';
import type { OpenChannel } from '../../channels/channel.ts';
import { openChannel } from '../../channels/open-channel.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { partsFor } from './parts.ts';
import { headingOf } from './person-words.ts';
import * as store from './say-store.ts';

/** How long a job waits for another one working on the same conversation. */
const WAIT_MS = 1000;

/**
 * Delivers members' messages to the conversation's channel, in order, marked as a person's. After a kill the next
 * attempt continues with the first undelivered part. What the service rejects isn't retried.
 */
export function sayInChannel(deps: Deps) {
  return async (key: JobData['channel.say'], signal: AbortSignal): Promise<void> => {
    const { organizationId, conversationId } = key;
    const release = await deps.locks.take(`say ${conversationId}`, () => undefined, WAIT_MS);
    try {
      while (!signal.aborted) {
        const next = await deps.db.in({ organizationId }, (tx) => store.findNextSaying(tx, key));
        if (!next) return;
        const { plugin, place } = next;
        const channel = plugin?.status === 'active' ? openChannel(deps, plugin) : undefined;
        if (channel && place !== null) await bring(deps, channel, place, next);
        else await giveUp(deps, next, plugin ? notConnected : removed);
      }
    } finally {
      await release();
    }
    throw new Error('The process is shutting down.');
  };
}

const notConnected = 'Not delivered: the channel’s plugin is paused or has no account.';
const removed = 'Not delivered: the channel’s plugin was removed.';

/** For a message that couldn't be delivered. */
export function giveUpSaying(deps: Pick<Deps, 'db'>) {
  return async (key: JobData['channel.say']): Promise<void> => {
    const { organizationId } = key;
    const next = await deps.db.in({ organizationId }, (tx) => store.findNextSaying(tx, key));
    if (next) await giveUp(deps, next, 'It could not be delivered.');
  };
}

async function bring(
  deps: Pick<Deps, 'db'>,
  channel: OpenChannel,
  place: string,
  next: store.Saying,
): Promise<void> {
  const { organizationId } = next;
  const words = `${headingOf(next)} ${next.text}`;
  const parts = await partsFor(channel, place, words);
  for (const [index, part] of parts.entries()) {
    if (index < next.partsSent) continue;
    try {
      await channel.send({ place, replyTo: null, partsBefore: index }, part);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'channel/refused')) throw error;
      return giveUp(deps, next, error.message);
    }
    await deps.db.in({ organizationId }, (tx) => store.noteParts(tx, next, index + 1));
  }
  await deps.db.in({ organizationId }, (tx) => store.endSaying(tx, next, null));
}

function giveUp({ db }: Pick<Deps, 'db'>, next: store.Saying, error: string): Promise<void> {
  return db.in({ organizationId: next.organizationId }, (tx) => store.endSaying(tx, next, error));
}
