import type { VersionSettings } from '../../../contract/version.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { newId } from '../../id.ts';
import { insertAgent, newAgent } from '../chatbot/store.ts';
import { nextSyncOf, numbersOf, restoreBlock, writeVectors } from '../knowledge/search.ts';
import { insertSet, replaceCases } from '../test-set/store.ts';
import { publishVersion, saveDraft } from '../version/store.ts';
import type { Archive } from './archive.ts';
import { blocksOf, picturesOf, type CheckedFile, type LightSource } from './check-file.ts';
import { parts, Source, type Passage, type Settings } from './format.ts';
import { Operation, type Tool } from './format-tools.ts';
import * as store from './import-store.ts';
import { listed } from './read-list.ts';
import type { StoredImport } from './store.ts';
import type { StoredBytes } from './store-bytes.ts';

/**
 * Gives an agent a file's tools, with their operations tool by tool; implemented by `features/tool/restore.ts`. Errors:
 * 402 by the plan.
 */
export type RestoreTools = (
  tx: Tx,
  agent: Agent,
  tools: Tool[],
  operations: AsyncIterable<Operation>,
) => Promise<void>;

/** What an agent is created from. */
export interface Making {
  archive: Archive;
  checked: CheckedFile;
  stored: StoredBytes;
  restoreTools: RestoreTools;
  /** Called with the number of passages written. */
  progress: (passages: number) => Promise<void>;
  signal: AbortSignal;
}

/** The agent being created, with the new ids of its items and sources, by their position in the file. */
interface Made {
  agent: Agent;
  itemIds: string[];
  sourceIds: string[];
  createdBy: string;
}

/** Writes an agent from a checked file, as if it were newly created. */
export async function writeAgent(
  tx: Tx,
  { jobs }: Pick<Deps, 'jobs'>,
  { organizationId, name, createdBy }: StoredImport,
  making: Making,
): Promise<Agent> {
  const { checked } = making;
  const agent = await writeSettings(tx, making, { organizationId, name, createdBy });
  const made: Made = {
    agent,
    createdBy,
    itemIds: idsInOrder('knowledge', checked.items.length),
    sourceIds: idsInOrder('source', checked.sources.length),
  };
  await writeItems(tx, made, making);
  await writeSources(tx, made, making);
  await writeBlocks(tx, made, making);
  for (const { name, isGate, cases } of checked.testSets)
    await replaceCases(tx, await insertSet(tx, agent, { name, isGate }), cases);
  await making.restoreTools(tx, agent, checked.tools, operationsOf(making));
  for (const place of unindexed(checked.sources)) {
    const knowledgeId = made.itemIds[place] as string;
    await jobs.enqueue(tx, 'knowledge.process', { organizationId, agentId: agent.id, knowledgeId });
  }
  return agent;
}

async function* operationsOf({ archive, signal }: Making): AsyncGenerator<Operation> {
  for await (const { value } of listed(archive, parts.operations, Operation)) {
    signal.throwIfAborted();
    yield value;
  }
}

/** Ids are random within a millisecond; sorting them preserves the file's order in lists sorted by id. */
function idsInOrder(kind: 'knowledge' | 'source' | 'chunk', count: number): string[] {
  return Array.from({ length: count }, () => newId(kind)).toSorted();
}

async function writeSettings(
  tx: Tx,
  { checked, stored }: Making,
  { organizationId, name, createdBy }: Pick<StoredImport, 'organizationId' | 'name' | 'createdBy'>,
): Promise<Agent> {
  const { live, draft, profilePhoto, name: called, ...atOnce } = checked.manifest.agent;
  const addressOf = (picture: string) => stored.images.get(picture) ?? picture;
  const here = ({ appearance, ...settings }: Settings): VersionSettings => {
    const logo = appearance.logo === null ? null : addressOf(appearance.logo);
    return { ...settings, appearance: { ...appearance, logo } };
  };
  const values = newAgent(organizationId, name ?? called, addressOf(profilePhoto));
  const agent = await insertAgent(tx, { ...values, ...atOnce, ...here(live) }, createdBy);
  const addresses = new Set(picturesOf(checked.manifest).map(addressOf));
  const images = [...addresses].map((address) => ({ address, organizationId, agentId: agent.id }));
  await store.insertImages(tx, images);
  if (!draft) return agent;
  const first = { number: agent.version, settings: here(live) };
  await publishVersion(tx, agent, first, { publishedBy: createdBy, note: undefined });
  return saveDraft(tx, { ...agent, liveVersion: first.number }, here(draft), { createdBy });
}

/** Items with sources that have been read but not indexed yet. */
function unindexed(sources: LightSource[]): Set<number> {
  return new Set(sources.filter(({ state }) => state === 'embedding').map(({ item }) => item));
}

async function writeItems(
  tx: Tx,
  { agent, itemIds, createdBy }: Made,
  { checked: { items, sources } }: Making,
): Promise<void> {
  const { organizationId, id: agentId } = agent;
  const open = unindexed(sources);
  const ready = new Set(sources.filter(({ state }) => state === 'ready').map(({ item }) => item));
  const counts = Map.groupBy(sources, ({ item }) => item);
  const states = items.map((_, place) =>
    open.has(place)
      ? { state: 'queued' as const, revision: 'building' as const }
      : ready.has(place)
        ? { state: 'ready' as const, revision: 'active' as const }
        : { state: 'failed' as const, revision: 'failed' as const },
  );
  await store.insertItems(
    tx,
    items.map(({ syncedAt, ...item }, place) => ({
      ...item,
      id: itemIds[place] as string,
      organizationId,
      agentId,
      state: states[place]?.state,
      syncedAt: syncedAt === null ? null : new Date(syncedAt),
      nextSyncAt: nextSyncOf(item),
    })),
  );
  await store.insertRevisions(
    tx,
    items.map((_, place) => ({
      organizationId,
      agentId,
      knowledgeId: itemIds[place] as string,
      number: 1,
      state: states[place]?.revision,
      cause: 'created' as const,
      added: counts.get(place)?.length ?? 0,
      createdBy,
    })),
  );
}

async function writeSources(
  tx: Tx,
  { agent, itemIds, sourceIds, createdBy }: Made,
  { archive, stored, signal }: Making,
): Promise<void> {
  const { organizationId, id: agentId } = agent;
  const files = [...stored.files.values()];
  await store.insertFiles(
    tx,
    files.map((file) => ({ ...file, organizationId, storageKey: file.id, createdBy })),
  );
  let place = 0;
  for await (const { value } of listed(archive, parts.sources, Source)) {
    signal.throwIfAborted();
    const { item, file, sameAs, card, ...source } = value;
    const image = card?.image ? (stored.images.get(card.image) ?? null) : null;
    await store.insertSource(tx, {
      ...source,
      id: sourceIds[place] as string,
      organizationId,
      agentId,
      knowledgeId: itemIds[item] as string,
      fileId: file ? (stored.files.get(file.path)?.id ?? null) : null,
      sameAs: sameAs === null ? null : sourceIds[sameAs],
      card: card && { ...card, image },
    });
    place += 1;
  }
}

async function writeBlocks(tx: Tx, made: Made, making: Making): Promise<void> {
  const { agent, itemIds } = made;
  const { archive, progress, signal } = making;
  let done = 0;
  for await (const { block, passages } of blocksOf(archive)) {
    signal.throwIfAborted();
    const key = {
      organizationId: agent.organizationId,
      agentId: agent.id,
      knowledgeId: itemIds[block.item] as string,
    };
    const ids = idsInOrder('chunk', passages.length);
    const cut = passages.map(({ source, ordinal, text, headingPath, page, offset }, at) => {
      const { title = '', language = null } = making.checked.sources[source] ?? {};
      const sourceId = made.sourceIds[source] as string;
      const place = { ordinal, text, headingPath, page, offset };
      return { ...place, id: ids[at] as string, sourceId, title, language: language ?? '' };
    });
    await restoreBlock(tx, key, { passages: cut, languages: block.languages }, signal);
    for (const [model, vectors] of vectorsOf(passages, ids)) await writeVectors(tx, key, model, vectors);
    done += passages.length;
    await progress(done);
  }
}

/** By model, because vectors are only compared within their own. */
function vectorsOf(passages: Passage[], ids: string[]) {
  const all = passages.flatMap(({ vector }, at) =>
    vector
      ? [
          {
            model: vector.model,
            chunkId: ids[at] as string,
            vector: numbersOf(Buffer.from(vector.numbers, 'base64')),
          },
        ]
      : [],
  );
  return Map.groupBy(all, ({ model }) => model);
}
