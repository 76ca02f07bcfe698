import type { source as contract } from '../../../contract/source.ts';
import { SOURCE_TEXT_PAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { inAgent } from '../../access/gate.ts';
import { notFound } from '../../app-error.ts';
import { FileStream, type Handlers, type MemberCaller } from '../../call.ts';
import { decodeCursor, encodeCursor, readId, readSequence } from '../../cursor.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { itemKey, presentItem } from './item.ts';
import type { ItemKey } from './keys.ts';
import { sourceOf } from './present.ts';
import * as store from './shown-source-store.ts';
import { findFile } from './store.ts';

export function sourceHandlers({ db, storage }: Pick<Deps, 'db' | 'storage'>): Handlers<typeof contract> {
  /** Errors: 404 if the agent has no such item. */
  const inItem = <T>(
    { id, knowledgeId }: { id: string; knowledgeId: string },
    caller: MemberCaller,
    work: (tx: Tx, key: ItemKey) => Promise<T>,
  ): Promise<T> =>
    inAgent(db, caller, id, 'agent.read', async (tx, agent) => {
      const key = itemKey(agent, knowledgeId);
      await presentItem(tx, key);
      return work(tx, key);
    });

  return {
    list: async ({ cursor, count, search, state, ...item }, caller) => {
      const after = decodeCursor(cursor, readId);
      const found = await inItem(item, caller, (tx, key) =>
        store.listSources(tx, key, { search, state, after, count: count + 1 }),
      );
      const page = found.slice(0, count);
      const last = found.length > count ? page.at(-1) : undefined;
      return { sources: page.map(sourceOf), nextCursor: last ? encodeCursor([last.id]) : null };
    },

    get: async ({ sourceId, offset, ...item }, caller) => {
      const length = SOURCE_TEXT_PAGE_MAX_CHARACTERS;
      const found = await inItem(item, caller, (tx, key) =>
        store.findSource(tx, key, sourceId, { offset, length }),
      );
      if (!found) throw notFound();
      const { stretch: text, ...source } = found;
      const isMore = offset + length < source.characters;
      return { source: sourceOf(source), text, nextOffset: isMore ? offset + length : null };
    },

    listChunks: async ({ sourceId, cursor, count, ...item }, caller) => {
      const after = decodeCursor(cursor, readSequence);
      const found = await inItem(item, caller, async (tx, key) => {
        if (!(await store.findSource(tx, key, sourceId, { offset: 0, length: 0 }))) throw notFound();
        return store.listChunks(tx, key, sourceId, count + 1, after);
      });
      const chunks = found.slice(0, count);
      const last = found.length > count ? chunks.at(-1) : undefined;
      return { chunks, nextCursor: last ? encodeCursor([last.ordinal]) : null };
    },

    readFile: async ({ fileId, ...item }, caller) => {
      const found = await inItem(item, caller, (tx, key) => findFile(tx, key, fileId));
      if (!found) throw notFound();
      const { name, mediaType, storageKey } = found;
      return new FileStream(name, mediaType, await storage.stream(storageKey));
    },
  };
}
