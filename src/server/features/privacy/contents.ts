import type { Readable } from 'node:stream';
import type { SQL } from 'drizzle-orm';
import { asOwner } from '../../db/as-owner.ts';
import { runIn } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import type { ZipEntry } from '../../zip.ts';
import type { Contents } from './export.job.ts';
import { listEntry, safeName, textEntry, type Ask } from './lists.ts';
import * as organizations from './organization-lists.ts';
import * as people from './person-lists.ts';

/** Written by other features. */
export interface Writers {
  conversation: (
    id: string,
    userId: string,
  ) => Promise<{ conversation: object; messages: object[]; markdown: string } | undefined>;
  agent: (organizationId: string, agentId: string) => Promise<{ bytes: Readable }>;
}

const ABOUT_PERSON = `Everything known about you here.

conversations/  each as a readable document (.md) and as data (.json). In the data, the role of a message says who wrote it:
                "user" a person who asks, "assistant" the agent, which is AI, "operator" a person who answers. It also has
                edited and regenerated messages: "active" is true for the version shown, which is the document.
files/          what you have uploaded, including recordings.
*.json          the rest, list by list.
`;
const ABOUT_ORGANIZATION = `Everything this organization has.

agents/         each as a file that can be imported, with its knowledge and the original files.
files/          what people have uploaded to conversations.
*.json, *.jsonl lists; in .jsonl each line is one record. The author of a message is "user", "ai" or "person".

It contains no secrets: keys, tokens and passwords have to be created again.
`;

/** The files' content. Each part is read when its turn comes. */
export function contentsOf(deps: Pick<Deps, 'db' | 'storage'>, writers: Writers): Contents {
  const { db, storage } = deps;
  const files = async (ask: Ask, statement: SQL): Promise<ZipEntry[]> =>
    ((await ask(statement)) as { id: string; name: string; storageKey: string }[]).map(
      ({ id, name, storageKey }) => ({
        name: `files/${id} ${safeName(name)}`,
        compress: true,
        open: () => storage.stream(storageKey),
      }),
    );

  return {
    // A person can be in several organizations: every statement is limited to their own rows.
    person: async (userId) => {
      const ask: Ask = (statement) => asOwner(db, (tx) => runIn(tx)(statement));
      const ids = (await ask(people.conversationsOf(userId))) as { id: string }[];
      return [
        textEntry('README.txt', () => ABOUT_PERSON),
        ...people.personLists(userId).map(([name, statement]) => listEntry(ask, name, statement)),
        ...ids.flatMap(({ id }) => conversationEntries(writers, id, userId)),
        ...(await files(ask, people.filesOf(userId))),
      ];
    },

    organization: async (organizationId) => {
      const ask: Ask = (statement) => db.in({ organizationId }, (tx) => runIn(tx)(statement));
      const agents = (await ask(organizations.agentsOf(organizationId))) as { id: string; handle: string }[];
      return [
        textEntry('README.txt', () => ABOUT_ORGANIZATION),
        ...organizations
          .organizationLists(organizationId)
          .map(([name, statement]) => listEntry(ask, name, statement)),
        ...agents.map(({ id, handle }) => ({
          name: `agents/${safeName(handle)}.zip`,
          compress: false,
          open: async () => (await writers.agent(organizationId, id)).bytes,
        })),
        ...(await files(ask, organizations.filesOf(organizationId))),
      ];
    },
  };
}

/** A conversation deleted meanwhile is empty. */
function conversationEntries({ conversation: write }: Writers, id: string, userId: string): ZipEntry[] {
  return [
    textEntry(`conversations/${id}.md`, async () => (await write(id, userId))?.markdown ?? ''),
    textEntry(`conversations/${id}.json`, async () => {
      const whole = await write(id, userId);
      const { conversation = null, messages = [] } = whole ?? {};
      return `${JSON.stringify({ conversation, messages }, null, 2)}\n`;
    }),
  ];
}
