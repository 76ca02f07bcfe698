import { randomUUID } from 'node:crypto';
import { EmailAddress } from '../../../contract/common.ts';
import { pluginShapes } from '../../../contract/plugin-types.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { ensureNamed } from '../../identity/visitor-store.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { ensureThread } from '../channel/store.ts';
import { findConversationOfAgent, type StoredConversation } from '../chat/store.ts';
import { enqueueMail } from '../mail/store.ts';
import { relayMail } from './relay-mail.ts';
import * as store from './relay-store.ts';

const isAddress = (value: string): boolean => EmailAddress.safeParse(value).success;

/**
 * Emails members' messages to an end user who hasn't read them, if an address of theirs is known: from the agent's own
 * mailbox, so that replies reach the same conversation, or else as a mail that links back to it. Each message once.
 */
export function relayByMail(deps: Pick<Deps, 'db' | 'jobs'>, origin: () => string) {
  return ({ organizationId, conversationId }: JobData['inbox.relay']): Promise<void> =>
    deps.db.in({ organizationId }, async (tx) => {
      const open = await findConversationOfAgent(tx, conversationId, { lock: true });
      if (!open || open.agent.deletedAt || open.conversation.channel !== null) return;
      const { conversation, agent } = open;
      const unread = await store.listUnread(tx, conversation);
      const found = unread.length > 0 ? await store.findAddress(tx, conversation, isAddress) : undefined;
      if (found === undefined) return;
      const address = EmailAddress.parse(found);
      const mailbox = await store.findMailPlugin(tx, conversation);
      await store.insertSayings(tx, conversation, unread, mailbox === undefined);
      if (!mailbox) {
        const link = `${origin()}/chat/${conversation.id}`;
        return enqueueMail(tx, deps.jobs, address, relayMail({ agentName: agent.name, unread, link }));
      }
      await carryOn(tx, { conversation, title: conversation.title || agent.name }, mailbox, address);
      await deps.jobs.enqueue(tx, 'channel.say', { organizationId, conversationId });
    });
}

/** The first mail of a thread has an unguessable id: whoever replies to it is let into the conversation. */
async function carryOn(
  tx: Tx,
  { conversation, title }: { conversation: StoredConversation; title: string },
  { id: pluginId, settingsData }: NonNullable<Awaited<ReturnType<typeof store.findMailPlugin>>>,
  person: string,
): Promise<void> {
  const { organizationId, agentId, id: conversationId } = conversation;
  if (await store.hasRelay(tx, conversation, { pluginId, person })) return;
  const domain = pluginShapes.email.settings.parse(settingsData).address.split('@').at(-1) ?? '';
  const place = JSON.stringify([`<${randomUUID()}@${domain}>`, person, oneLine(title)]);
  const visitor = await ensureNamed(tx, { organizationId, agentId }, `${pluginId} ${person}`);
  await ensureThread(tx, {
    organizationId,
    pluginId,
    place,
    person,
    visitorId: visitor.id,
    conversationId,
    relays: true,
  });
}

/** In the form it comes back in a reply's subject. */
function oneLine(title: string): string {
  return title.replaceAll(/\s+/g, ' ').trim();
}
