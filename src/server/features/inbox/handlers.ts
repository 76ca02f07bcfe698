import type { Author } from '../../../contract/chat.ts';
import type { inbox as contract } from '../../../contract/inbox.ts';
import { CANNED_ANSWERS_MAX } from '../../../contract/limits.ts';
import { inOrganization } from '../../access/gate.ts';
import { requireSeen } from '../../access/seen.ts';
import { AppError, notFound } from '../../app-error.ts';
import { personOf, type Handlers } from '../../call.ts';
import { decodeCursor, encodeCursor, readPlaceInList, readSequenceIn } from '../../cursor.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { listMessages, messagePage } from '../chat/store.ts';
import { findOrganization } from '../organization/store.ts';
import { conversationsIn, type Around } from './conversations.ts';
import { endHandover, giveTo } from './handover-store.ts';
import * as settings from './setting-store.ts';
import * as store from './store.ts';
import { writingIn } from './writing.ts';

export function inboxHandlers(deps: Deps, around: Around): Handlers<typeof contract> {
  const { db } = deps;
  const { inOne, change } = conversationsIn(deps, around);
  const { write, takeFor } = writingIn(deps, around);

  return {
    list: async ({ organizationId, view, search, cursor, count }, caller) => {
      const place = decodeCursor(cursor, readPlaceInList);
      const before = place && { id: place.id, waiting: place.pinned, at: place.updatedAt };
      const userId = caller.kind === 'key' ? undefined : caller.userId;
      return inOrganization(db, caller, organizationId, 'agent.read', async (tx, { agents }) => {
        const query = { view, userId, agents, search, before, count: count + 1 };
        const found = await store.listInbox(tx, organizationId, query);
        const page = found.slice(0, count);
        const last = found.length > count ? page.at(-1)?.place : undefined;
        return {
          conversations: page.map(({ conversation }) => conversation),
          nextCursor: last ? encodeCursor([last.waiting ? 1 : 0, last.at.toISOString(), last.id]) : null,
          waiting: await store.countWaiting(tx, organizationId, agents),
        };
      });
    },

    get: async ({ id, cursor, count }, caller) => {
      const after = decodeCursor(cursor, readSequenceIn('desc'));
      return inOne(caller, id, 'agent.read', async (tx, key) => {
        const conversation = await store.findInInbox(tx, key);
        if (!conversation) throw notFound();
        const range = { count: count + 1, orderBy: 'desc', after } as const;
        const found = await listMessages(tx, key, key.userId, range);
        return {
          conversation,
          notes: await store.listNotes(tx, key),
          helpers: (await store.listHelpers(tx, key)).map(authorOf),
          ...messagePage(found, { count, orderBy: 'desc' }),
        };
      });
    },

    take: async ({ id }, caller) =>
      change(caller, id, (tx, conversation) => takeFor(tx, conversation, personOf(caller).userId)),

    assign: async ({ id, userId }, caller) =>
      change(caller, id, async (tx, conversation) => {
        const helpers = await store.listHelpers(tx, conversation);
        if (!helpers.some((helper) => helper.userId === userId)) throw notFound();
        await giveTo(tx, conversation, userId);
        await around.silence(tx, conversation);
      }),

    write: async ({ id, text }, caller) => write(caller, id, text),

    release: async ({ id }, caller) => change(caller, id, (tx, key) => endHandover(tx, key, 'bot')),

    close: async ({ id }, caller) =>
      change(caller, id, async (tx, conversation) => {
        await endHandover(tx, conversation, 'closed');
        await around.silence(tx, conversation);
      }),

    note: async ({ id, text }, caller) => {
      const { userId: authorId } = personOf(caller);
      const [key, note] = await inOne(
        caller,
        id,
        'agent.write',
        async (tx, key) => [key, await store.insertNote(tx, key, { authorId, text })] as const,
      );
      if (!note) throw notFound();
      around.people.heard(key);
      return { note };
    },

    listCanned: async ({ organizationId }, caller) =>
      inOrganization(db, caller, organizationId, 'agent.read', async (tx) => ({
        answers: await settings.listCanned(tx, organizationId),
      })),

    createCanned: async ({ organizationId, ...canned }, caller, context) =>
      inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
        if ((await settings.countCanned(tx, organizationId)) >= CANNED_ANSWERS_MAX)
          throw new AppError('resource/conflict', `You already have ${CANNED_ANSWERS_MAX}.`);
        const answer = await settings.insertCanned(tx, organizationId, canned);
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'inbox.createCanned',
          target: { id: answer.id, name: answer.title },
          after: answer,
        });
        return { answer };
      }),

    updateCanned: async ({ organizationId, id, seen = {}, ...changes }, caller, context) =>
      inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
        const before = await settings.lockCanned(tx, organizationId, id);
        if (!before) throw notFound();
        requireSeen(before, seen, changes);
        const { title = before.title, text = before.text } = changes;
        const answer = { id, title, text };
        await settings.updateCanned(tx, organizationId, answer);
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'inbox.updateCanned',
          target: { id, name: title },
          before,
          after: answer,
        });
        return { answer };
      }),

    removeCanned: async ({ organizationId, id }, caller, context) =>
      inOrganization(db, caller, organizationId, 'agent.write', async (tx) => {
        const gone = await settings.deleteCanned(tx, organizationId, id);
        if (!gone) throw notFound();
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'inbox.removeCanned',
          target: { id, name: gone.title },
          before: gone,
        });
        return { deleted: true };
      }),

    getSetting: async ({ organizationId }, caller) =>
      inOrganization(db, caller, organizationId, 'organization.read', async (tx) => ({
        setting: await settings.readSetting(tx, organizationId),
      })),

    setSetting: async ({ organizationId, ...changes }, caller, context) =>
      inOrganization(db, caller, organizationId, 'organization.manage', async (tx) => {
        const before = await settings.readSetting(tx, organizationId);
        await settings.writeSetting(tx, organizationId, changes);
        const setting = await settings.readSetting(tx, organizationId);
        await recordAudit(tx, caller, context, {
          organizationId,
          action: 'inbox.setSetting',
          target: { id: organizationId, name: (await findOrganization(tx, organizationId))?.name ?? '' },
          before,
          after: setting,
        });
        return { setting };
      }),
  };
}

function authorOf({ userId: id, name, profilePhoto }: store.Helper): Author {
  return { id, name, profilePhoto };
}
