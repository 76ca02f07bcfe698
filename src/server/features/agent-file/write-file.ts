import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { settingsOf } from '../../access/agent-settings.ts';
import type { Agent } from '../../access/gate.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { imageNameOf, storageKeyOf } from '../../images/address.ts';
import { zipOf, type ZipEntry } from '../../zip.ts';
import { listCases, listSets } from '../test-set/store.ts';
import { readDraft } from '../version/store.ts';
import * as store from './export-store.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  parts,
  type Block,
  type Item,
  type Manifest,
  type Passage,
  type Settings,
  type Source,
  type TestSet,
} from './format.ts';
import { LineWriter, nameIn } from './spool.ts';
import type { Folder } from '../../folders/work-folder.ts';
import { writeTools } from './write-tools.ts';

/** How many are read at once: a source can have several megabytes of text. */
const SOURCES_AT_ONCE = 20;
const PASSAGES_AT_ONCE = 500;
const NOT_READ = 'It had not been read when the agent was exported.';

/** Bytes copied from storage into the file, by their path in it. */
type Stored = Map<string, { storageKey: string }>;

/** A consistent snapshot of what the database holds about an agent; the rest of its file is in storage. */
export interface WrittenAgent {
  manifest: Manifest;
  folder: Folder;
  stored: Stored;
}

/** Writes the lists of an agent's file into the folder. Runs in one transaction, which doesn't have to wait for a slow client. */
export async function writeLists(tx: Tx, agent: Agent, folder: Folder): Promise<WrittenAgent> {
  const stored: Stored = new Map();
  const items = await store.lockItems(tx, agent);
  await writeList<Item>(folder, parts.items, items.map(itemOf));
  const itemPlaces = new Map(items.map(({ id }, place) => [id, place]));
  const places = await writeSources(tx, agent, { folder, stored, itemPlaces });
  await writePassages(tx, agent, { folder, itemPlaces, places });
  await writeTestSets(tx, agent, folder);
  await writeTools(tx, agent, folder);
  return { manifest: await manifestOf(tx, agent, stored), folder, stored };
}

/** The file itself, generated as it is read. */
export function fileOf(
  { manifest, folder, stored }: WrittenAgent,
  { storage }: Pick<Deps, 'storage'>,
): Readable {
  const { manifest: manifestName, ...lists } = parts;
  const entry = (name: string, open: () => Promise<Readable>): ZipEntry => ({
    name,
    compress: !name.startsWith('images/'),
    open,
  });
  return zipOf([
    entry(manifestName, async () => Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)])),
    ...Object.values(lists).map((name) => entry(name, async () => createReadStream(folder.at(nameIn(name))))),
    ...[...stored].map(([name, { storageKey }]) => entry(name, () => storage.stream(storageKey))),
  ]);
}

async function writeList<T extends object>(folder: Folder, part: string, lines: T[]): Promise<void> {
  const writer = new LineWriter(folder.at(nameIn(part)));
  for (const line of lines) await writer.write(line);
  await writer.end();
}

async function manifestOf(tx: Tx, agent: Agent, stored: Stored): Promise<Manifest> {
  const draft = await readDraft(tx, agent);
  const { name, website, isPublic, allowedOrigins, offersPerson, retentionDays, profilePhoto } = agent;
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    exportedAt: new Date().toISOString(),
    agent: {
      name,
      website,
      isPublic,
      allowedOrigins,
      offersPerson,
      retentionDays,
      profilePhoto: imagePathOf(profilePhoto, stored),
      live: settingsIn(agent, stored),
      draft: draft === agent ? null : settingsIn(draft, stored),
    },
  };
}

function settingsIn(agent: Agent, stored: Stored): Settings {
  const { appearance, ...settings } = settingsOf(agent);
  const logo = appearance.logo === null ? null : imagePathOf(appearance.logo, stored);
  return { ...settings, appearance: { ...appearance, logo } };
}

/** Its path in the file; a placeholder stays as it is. */
function imagePathOf(address: string, stored: Stored): string {
  const name = imageNameOf(address);
  if (name === undefined) return address;
  const path = `images/${name}.webp`;
  stored.set(path, { storageKey: storageKeyOf(name) });
  return path;
}

function itemOf({ type, description, text, links, site, schedule, syncedAt, error }: store.StoredItem): Item {
  return { type, description, text, links, site, schedule, syncedAt: syncedAt?.toISOString() ?? null, error };
}

async function writeTestSets(tx: Tx, agent: Agent, folder: Folder): Promise<void> {
  const writer = new LineWriter(folder.at(nameIn(parts.testSets)));
  for (const set of await listSets(tx, agent)) {
    const cases = (await listCases(tx, set)).map(({ question, expectations }) => ({
      question,
      expectations,
    }));
    await writer.write({ name: set.name, isGate: set.isGate, cases } satisfies TestSet);
  }
  await writer.end();
}

type Places = ReadonlyMap<string, number>;

function placeOf(id: string, places: Places): number {
  const place = places.get(id);
  if (place === undefined) throw new Error(`${id} is not among what is exported`);
  return place;
}

/** Returns each source's position. */
async function writeSources(
  tx: Tx,
  agent: Agent,
  { folder, stored, itemPlaces }: { folder: Folder; stored: Stored; itemPlaces: Places },
): Promise<Places> {
  const writer = new LineWriter(folder.at(nameIn(parts.sources)));
  const places = new Map<string, number>();
  const items = [...itemPlaces.keys()];
  const copies = await store.listCopies(tx, agent, items);
  const files = new FilePaths(stored);
  for (let after = ''; ;) {
    const batch = await store.listSources(tx, agent, items, after, SOURCES_AT_ONCE);
    for (const row of batch) {
      places.set(row.source.id, places.size);
      const item = placeOf(row.source.knowledgeId, itemPlaces);
      const sameAs = copies.get(row.source.id) ?? null;
      await writer.write({ ...sourceOf(row, stored), item, sameAs, file: files.of(row) } satisfies Source);
    }
    after = batch.at(-1)?.source.id ?? '';
    if (batch.length < SOURCES_AT_ONCE) break;
  }
  await writer.end();
  return places;
}

function sourceOf({ source }: store.StoredSource, stored: Stored): Omit<Source, 'item' | 'sameAs' | 'file'> {
  const { kind, title, url, depth, text, contentHash, language, etag, lastModified, card } = source;
  const isRead = source.state === 'ready' || source.state === 'embedding';
  return {
    kind,
    state: isRead ? (source.state as 'ready' | 'embedding') : 'failed',
    error: source.state === 'failed' || isRead ? source.error : NOT_READ,
    title,
    url,
    depth,
    text,
    contentHash,
    language,
    etag,
    lastModified,
    card: card && { ...card, image: card.image === null ? null : imagePathOf(card.image, stored) },
  };
}

/** Gives each file one path, however many sources were read from it. */
class FilePaths {
  readonly #stored: Stored;
  readonly #paths = new Map<string, string>();

  constructor(stored: Stored) {
    this.#stored = stored;
  }

  of({ storageKey, fileName }: store.StoredSource): Source['file'] {
    if (storageKey === null || fileName === null) return null;
    const known = this.#paths.get(storageKey);
    const extension = /\.[a-z0-9]{1,10}$/.exec(fileName.toLowerCase())?.[0] ?? '';
    const number = String(this.#paths.size + 1).padStart(6, '0');
    const path = known ?? `knowledge/files/${number}${extension}`;
    this.#paths.set(storageKey, path);
    this.#stored.set(path, { storageKey });
    return { path, name: fileName };
  }
}

async function writePassages(
  tx: Tx,
  agent: Agent,
  { folder, itemPlaces, places }: { folder: Folder; itemPlaces: Places; places: Places },
): Promise<void> {
  const writer = new LineWriter(folder.at(nameIn(parts.passages)));
  for (const { id, knowledgeId, languages } of await store.listBlocks(tx, agent, [...itemPlaces.keys()])) {
    const passages = await store.countPassages(tx, agent, id);
    const item = placeOf(knowledgeId, itemPlaces);
    await writer.write({ kind: 'block', item, languages, passages } satisfies Block);
    for (let after = -1; ;) {
      const batch = await store.listPassages(tx, agent, id, { after, most: PASSAGES_AT_ONCE });
      for (const row of batch) await writer.write(passageOf(row, places));
      after = batch.at(-1)?.passage.number ?? after;
      if (batch.length < PASSAGES_AT_ONCE) break;
    }
  }
  await writer.end();
}

type StoredPassage = Awaited<ReturnType<typeof store.listPassages>>[number];

function passageOf({ passage, model, vector }: StoredPassage, places: Places): Passage {
  const { sourceId, ordinal, text, headingPath, page, offset } = passage;
  const source = placeOf(sourceId, places);
  const numbers = vector?.toString('base64');
  return {
    kind: 'passage',
    source,
    ordinal,
    text,
    headingPath,
    page,
    offset,
    vector: model !== null && numbers !== undefined ? { model, numbers } : null,
  };
}
