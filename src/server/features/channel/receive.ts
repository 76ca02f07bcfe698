import {
  CHANNEL_FILES_A_MESSAGE_MAX,
  CHANNEL_NAME_MAX_CHARACTERS,
  CHANNEL_TEXT_MAX_CHARACTERS,
  CHANNEL_WAITING_MAX,
} from '../../../contract/limits.ts';
import { organizationOf } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import type { Received } from '../../channels/channel.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { ensureNamed } from '../../identity/visitor-store.ts';
import { openChannel } from '../../channels/open-channel.ts';
import * as store from './store.ts';

/**
 * Receives what a channel's service sends. The service gets its acknowledgment only after the messages are committed,
 * each with its job; duplicates are recognized. Messages for a paused plugin aren't stored. Errors: 404.
 */
export function receiveIn(deps: Deps) {
  return async (pluginId: string, request: Request): Promise<Response> => {
    const organizationId = await organizationOf(deps.db, 'plugin', pluginId);
    const { plugin } =
      (await deps.db.in({ organizationId }, (tx) => store.findPlugin(tx, organizationId, pluginId))) ?? {};
    const channel = plugin && openChannel(deps, plugin);
    if (!channel) throw notFound();
    const { response, messages, unkept = response } = await channel.receive(request);
    if (messages.length === 0) return response;
    if (plugin.status !== 'active') return unkept;
    const kept = await deps.db.in({ organizationId }, async (tx) => {
      let count = 0;
      for (const message of messages) if (await keep(deps, tx, plugin, message)) count += 1;
      return count;
    });
    return kept > 0 ? response : unkept;
  };
}

/** Stores it with the job that answers it. False if it isn't for the agent, is already stored, or exceeds the limit. */
export async function keep(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  plugin: store.StoredPlugin,
  message: Received,
): Promise<boolean> {
  const { organizationId, agentId } = plugin;
  const { place, person, externalId, replyTo = null } = message;
  const personName = nameOf(message.personName);
  // In a group, the agent takes part only in threads it was drawn into.
  const known = await store.findThread(tx, plugin, message);
  if (!message.isAddressed && !known) return false;
  const text = storable(message.text.slice(0, CHANNEL_TEXT_MAX_CHARACTERS)).trim();
  const files = message.files
    .slice(0, CHANNEL_FILES_A_MESSAGE_MAX)
    .map((file) => ({ ...file, name: nameOf(file.name), reference: storable(file.reference) }));
  if (text === '' && files.length === 0) return false;
  // No program or site may use such a name.
  const subject = `${plugin.id} ${person}`;
  const { id: visitorId } = await ensureNamed(tx, { organizationId, agentId }, subject, personName);
  const thread =
    known ??
    (await store.ensureThread(tx, { organizationId, pluginId: plugin.id, place, person, visitorId }));
  if ((await store.countWaiting(tx, thread)) >= CHANNEL_WAITING_MAX) return false;
  const said = { externalId, personName, text, files, replyTo };
  const kept = { organizationId, pluginId: plugin.id, threadId: thread.id, ...said };
  if (!(await store.insertMessage(tx, kept))) return false;
  await jobs.enqueue(tx, 'channel.answer', { organizationId, threadId: thread.id });
  return true;
}

/** Names of people and files are a single line. */
function nameOf(given: string): string {
  return storable(given.replaceAll(/\s+/g, ' ').trim().slice(0, CHANNEL_NAME_MAX_CHARACTERS)) || '?';
}

/** A message that can't be stored would be resent forever. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
