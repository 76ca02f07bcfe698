import { may } from '../../../contract/access.ts';
import type { OpenGate, Version, VersionDetails, version as contract } from '../../../contract/version.ts';
import { inOrganization, type Agent } from '../../access/gate.ts';
import { settingsOf } from '../../access/agent-settings.ts';
import { chatbotOf } from '../../access/present-agent.ts';
import type { Role } from '../../../contract/access.ts';
import { AppError, notFound } from '../../app-error.ts';
import { callerId, type Handlers } from '../../call.ts';
import { decodeCursor, encodeCursor, readSequence } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/store.ts';
import { findAgent, lockAgent } from '../chatbot/store.ts';
import { listOpenGates } from '../test-set/store.ts';
import * as store from './store.ts';

export function versionHandlers({ db }: Deps): Handlers<typeof contract> {
  return {
    list: async ({ id, organizationId, cursor, count, search }, caller) => {
      const before = decodeCursor(cursor, readSequence);
      const { agent, found } = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.read',
        async (tx, { agents }) => {
          const agent = await findAgent(tx, organizationId, id, agents);
          if (!agent) throw notFound();
          return { agent, found: await store.listVersions(tx, agent, { count: count + 1, before, search }) };
        },
      );
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return {
        versions: page.map((each) => versionOf(agent, each)),
        nextCursor: last ? encodeCursor([last.number]) : null,
      };
    },

    get: async ({ id, organizationId, number }, caller) => {
      const { agent, found } = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.read',
        async (tx, { agents }) => open(tx, await findAgent(tx, organizationId, id, agents), number),
      );
      return { version: detailsOf(agent, found) };
    },

    annotate: async ({ id, organizationId, number, note }, caller, context) => {
      const changed = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents }) => {
          const { agent, found } = await open(tx, await lockAgent(tx, organizationId, id, agents), number);
          await store.annotateVersion(tx, agent, number, note);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'version.annotate',
            target: agent,
            before: { number, note: found.note },
            after: { number, note },
          });
          return versionOf(agent, { ...found, note });
        },
      );
      return { version: changed };
    },

    restore: async ({ id, organizationId, number }, caller, context) => {
      const restored = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents }) => {
          const { agent, found } = await open(tx, await lockAgent(tx, organizationId, id, agents), number);
          const before = await store.readDraft(tx, agent);
          const note = `Restored from version ${number}.`;
          const after = await store.saveDraft(tx, agent, found.settings, {
            createdBy: callerId(caller),
            note,
          });
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'version.restore',
            target: agent,
            before: { version: before.version, ...settingsOf(before) },
            after: { version: after.version, ...settingsOf(after) },
          });
          return after;
        },
      );
      return { chatbot: chatbotOf(restored) };
    },

    publish: async ({ id, organizationId, number, note, overrideReason }, caller, context) => {
      const published = await inOrganization(
        db,
        caller,
        organizationId,
        'agent.write',
        async (tx, { agents, role }) => {
          const { agent, found } = await open(tx, await lockAgent(tx, organizationId, id, agents), number);
          const gates = await listOpenGates(tx, agent, number);
          requirePassage(gates, role, overrideReason);
          await store.publishVersion(tx, agent, found, { publishedBy: callerId(caller), note });
          const overridden = gates.map(({ name }) => name);
          await recordAudit(tx, caller, context, {
            organizationId,
            action: 'version.publish',
            target: agent,
            before: { liveVersion: agent.liveVersion },
            after: { liveVersion: number, ...(overridden.length > 0 ? { overridden, overrideReason } : {}) },
          });
          const live = { ...agent, liveVersion: number };
          return versionOf(live, (await store.findVersion(tx, live, number)) ?? found);
        },
      );
      return { version: published };
    },

    gates: async ({ id, organizationId, number }, caller) => ({
      gates: await inOrganization(db, caller, organizationId, 'agent.read', async (tx, { agents }) => {
        const { agent } = await open(tx, await findAgent(tx, organizationId, id, agents), number);
        return listOpenGates(tx, agent, number);
      }),
    }),
  };
}

/** An agent that was found, with one of its versions; otherwise a 404. */
async function open(tx: Tx, agent: Agent | undefined, number: number) {
  const found = agent && (await store.findVersion(tx, agent, number));
  if (!found) throw notFound();
  return { agent, found };
}

/** Only an owner can override a set that hasn't been passed, and must give a reason. */
function requirePassage(gates: OpenGate[], role: Role, overrideReason: string | undefined): void {
  if (gates.length === 0) return;
  if (overrideReason === undefined) {
    const names = gates.map(({ name }) => `“${name}”`).join(', ');
    throw new AppError('version/gated', `This version has not passed ${names}.`);
  }
  if (!may(role, 'organization.own'))
    throw new AppError('auth/forbidden', 'Only an owner can publish without passing the tests.');
}

function versionOf(agent: Agent, listed: store.ListedVersion): Version {
  const { number, note, author, createdAt, publishedAt, publisher } = listed;
  return {
    number,
    note,
    author,
    createdAt: createdAt.toISOString(),
    publishedAt: publishedAt?.toISOString() ?? null,
    publisher,
    isDraft: number === agent.version,
    isLive: number === (agent.liveVersion ?? agent.version),
  };
}

function detailsOf(agent: Agent, found: store.ReadVersion): VersionDetails {
  return { ...versionOf(agent, found), settings: settingsOf(found.settings), knowledge: found.knowledge };
}
