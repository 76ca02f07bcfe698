import { may } from '../../../contract/access.ts';
import type { Role } from '../../../contract/access.ts';
import type { InboxSetting } from '../../../contract/inbox.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import {
  listMessages,
  type ConversationKey,
  type OpenConversation,
  type StoredConversation,
} from '../chat/store.ts';
import { awayNotice } from './away.ts';
import { enqueueMail } from '../mail/store.ts';
import { enqueuePushes } from '../push/store.ts';
import { requestPerson, type HandoverOrigin } from './handover-store.ts';
import { readSetting } from './setting-store.ts';
import * as store from './store.ts';
import { waitingMail } from './waiting-mail.ts';

/** How much of the conversation an email includes. */
const TOLD_MESSAGES = 6;
const TOLD_CHARACTERS = 500;

type PeopleDeps = Pick<Deps, 'db' | 'jobs' | 'realtime' | 'log'>;

export interface Asked {
  by: HandoverOrigin;
  reason: string;
}

/** The members who answer instead of agents. */
export interface People {
  /**
   * Requests one of them, in a locked conversation: the agent is silent from now on, and they are notified when the
   * transaction commits. Returns what to tell the end user if nobody is available now. Repeating it gives the same.
   * Errors: `chat/no-person`.
   */
  ask: (tx: Tx, open: OpenConversation, asked: Asked) => Promise<string | null>;
  /** Something has happened in a conversation that they answer, or are about to: notifies readers of the inbox as well. */
  heard: (key: ConversationKey) => void;
}

export function peopleIn(deps: PeopleDeps, { origin }: { origin: () => string }): People {
  return {
    ask: async (tx, open, asked) => {
      const { conversation } = open;
      requirePossible(conversation);
      const { organizationId } = conversation;
      const helpers = await store.listHelpers(tx, conversation);
      if (helpers.length === 0) throw new AppError('chat/no-person');
      if (await requestPerson(tx, conversation, asked)) {
        const link = `${origin()}/platform/${organizationId}/inbox/${conversation.id}`;
        await enqueuePushes(
          tx,
          deps.jobs,
          helpers.map(({ userId }) => userId),
          conversation,
        );
        const recipients = recipientsOf(helpers, await readSetting(tx, organizationId));
        await tellByMail(deps, tx, open, { asked, recipients, link });
      }
      return awayNotice(tx, organizationId);
    },

    heard: ({ organizationId, id }) => {
      const read = deps.db.in({ organizationId }, async (tx) => {
        const found = await store.findInInbox(tx, { organizationId, id });
        return found ? store.listReaders(tx, { organizationId, agentId: found.agent.id }) : [];
      });
      read
        .then((readers) => {
          for (const { userId } of readers)
            deps.realtime.toUser(userId, 'inbox.updated', { organizationId, conversationId: id });
        })
        .catch((error: unknown) => deps.log.warn({ err: error }, 'members could not be notified'));
    },
  };
}

/** A room with others, or a trial of an agent, can't be handed to anyone. */
export function requirePossible({ kind, temporary }: Pick<StoredConversation, 'kind' | 'temporary'>): void {
  if (kind === 'game' || temporary) throw new AppError('chat/no-person');
}

function recipientsOf(helpers: store.Helper[], { notify }: InboxSetting): string[] {
  if (notify === 'nobody') return [];
  return helpers.flatMap(({ email, role }) =>
    email !== null && (notify === 'all' || may(role as Role, 'organization.manage')) ? [email] : [],
  );
}

async function tellByMail(
  { jobs }: PeopleDeps,
  tx: Tx,
  { conversation, agent }: OpenConversation,
  { asked, recipients, link }: { asked: Asked; recipients: string[]; link: string },
): Promise<void> {
  if (recipients.length === 0) return;
  const found = await store.findInInbox(tx, conversation);
  const endUserName = found?.endUser.name ?? '';
  const newest = await listMessages(tx, conversation, '', { count: TOLD_MESSAGES, orderBy: 'desc' });
  const said = newest.toReversed().flatMap(({ role, text, author }) => {
    const who = role === 'user' ? endUserName : role === 'operator' ? (author?.name ?? '') : agent.name;
    return text === '' ? [] : [{ who, text: text.slice(0, TOLD_CHARACTERS).toWellFormed() }];
  });
  const letter = waitingMail({ agentName: agent.name, endUserName, reason: asked.reason, said, link });
  for (const recipient of recipients) await enqueueMail(tx, jobs, recipient, letter);
}
