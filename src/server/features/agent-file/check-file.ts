import { TEST_SETS_AN_AGENT_MAX } from '../../../contract/limits.ts';
import { AgentFileError, type Archive } from './archive.ts';
import {
  AnyManifest,
  BlockOrPassage,
  FORMAT_VERSION,
  Item,
  Manifest,
  parts,
  Source,
  TestSet,
  type Block,
  type Passage,
} from './format.ts';
import { checkTools } from './check-tools.ts';
import type { Tool } from './format-tools.ts';
import { fitting, listed, readList } from './read-list.ts';

const ITEMS_MAX = 10_000;
const SOURCES_MAX = 200_000;
const PASSAGES_MAX = 2_000_000;
/** A block is analyzed as one value. */
const BLOCK_MAX_CHARACTERS = 150_000_000;

/** A source without its text. */
export type LightSource = Pick<Source, 'item' | 'state' | 'title' | 'language' | 'file' | 'sameAs'> & {
  image: string | null;
  characters: number;
};

/** A consistent file: everything it refers to is in it. */
export interface CheckedFile {
  manifest: Manifest;
  items: Item[];
  sources: LightSource[];
  passages: number;
  testSets: TestSet[];
  tools: Tool[];
  /** In storage: raw files by their display names, and pictures. */
  files: Map<string, string>;
  images: Set<string>;
}

/** Reads the whole file and trusts none of it. Errors: `AgentFileError` with the place and the reason. */
export async function checkFile(archive: Archive): Promise<CheckedFile> {
  const manifest = await readManifest(archive);
  const items = await readList(archive, parts.items, Item, ITEMS_MAX);
  const files = new Map<string, string>();
  const images = new Set<string>();
  for (const picture of picturesOf(manifest)) images.add(picture);
  const sources = await checkSources(archive, items, { files, images });
  const passages = await checkPassages(archive, items, sources);
  const testSets = await readList(archive, parts.testSets, TestSet, TEST_SETS_AN_AGENT_MAX);
  const tools = await checkTools(archive);
  requireParts(archive, [...files.keys(), ...images]);
  return { manifest, items, sources, passages, testSets, tools, files, images };
}

/** Those in the file; every installation has the placeholders. */
export function picturesOf({ agent: { profilePhoto, live, draft } }: Manifest): string[] {
  const shown = [profilePhoto, live.appearance.logo, draft?.appearance.logo];
  return shown.flatMap((picture) => (picture?.startsWith('images/') ? [picture] : []));
}

async function readManifest(archive: Archive): Promise<Manifest> {
  const lines = (await archive.bytes(parts.manifest)).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(lines);
  } catch (cause) {
    throw new AgentFileError(`${parts.manifest} is not valid JSON.`, { cause });
  }
  const { version } = fitting(AnyManifest, value, parts.manifest);
  if (version > FORMAT_VERSION)
    throw new AgentFileError('The file was made by a newer Parley. Install that version here first.');
  return fitting(Manifest, value, parts.manifest);
}

async function checkSources(
  archive: Archive,
  items: Item[],
  { files, images }: Pick<CheckedFile, 'files' | 'images'>,
): Promise<LightSource[]> {
  const sources: LightSource[] = [];
  const addresses = new Set<string>();
  for await (const { value, where } of listed(archive, parts.sources, Source)) {
    const { item, state, title, language, file, sameAs, url, card, text } = value;
    if (sources.length >= SOURCES_MAX) throw new AgentFileError('The agent has too many sources.');
    if (!items[item]) throw new AgentFileError(`${where}: item ${item} doesn’t exist.`);
    const address = `${item} ${url}`;
    if (url !== null && addresses.has(address))
      throw new AgentFileError(`${where}: this address appears twice.`);
    addresses.add(address);
    if (state !== 'failed' && text === null) throw new AgentFileError(`${where}: it has no text.`);
    if (file) files.set(file.path, file.name);
    const image = card?.image ?? null;
    if (image !== null) images.add(image);
    sources.push({ item, state, title, language, file, sameAs, image, characters: text?.length ?? 0 });
  }
  for (const [place, { sameAs, item }] of sources.entries())
    if (sameAs !== null && (sameAs === place || sources[sameAs]?.item !== item))
      throw new AgentFileError(
        `${parts.sources}, line ${place + 1}: it repeats a source that its item doesn’t have.`,
      );
  return sources;
}

/** Each source is searched through one block, and only once. */
async function checkPassages(archive: Archive, items: Item[], sources: LightSource[]): Promise<number> {
  const searched = new Set<number>();
  let passages = 0;
  for await (const { block, passages: held, where } of blocksOf(archive)) {
    if (!items[block.item]) throw new AgentFileError(`${where}: item ${block.item} doesn’t exist.`);
    passages += held.length;
    if (passages > PASSAGES_MAX) throw new AgentFileError('The agent has too many passages.');
    for (const passage of held) requirePlace(passage, block, sources, where);
    const bySource = Map.groupBy(held, ({ source }) => source);
    for (const [source, its] of bySource) {
      const isOnce = new Set(its.map(({ ordinal }) => ordinal)).size === its.length;
      if (searched.has(source) || !isOnce) throw new AgentFileError(`${where}: a passage appears twice.`);
      searched.add(source);
    }
  }
  return passages;
}

function requirePlace(
  { source, offset, vector }: Passage,
  { item }: Block,
  sources: LightSource[],
  where: string,
): void {
  const found = sources[source];
  if (found?.item !== item || found.state !== 'ready' || found.sameAs !== null)
    throw new AgentFileError(`${where}: one of its passages belongs to a source that is not searched.`);
  if (offset > found.characters) throw new AgentFileError(`${where}: a passage lies outside its source.`);
  if (vector && !isVector(vector.numbers)) throw new AgentFileError(`${where}: a vector is invalid.`);
}

/** Block by block, each with its passages. */
export async function* blocksOf(
  archive: Archive,
): AsyncGenerator<{ block: Block; passages: Passage[]; where: string }> {
  let open: { block: Block; passages: Passage[]; where: string } | undefined;
  let characters = 0;
  for await (const { value, where } of listed(archive, parts.passages, BlockOrPassage)) {
    if (value.kind === 'block') {
      if (open) throw new AgentFileError(`${where}: the previous block has fewer passages than stated.`);
      open = { block: value, passages: [], where };
      characters = 0;
      continue;
    }
    if (!open) throw new AgentFileError(`${where}: this passage belongs to no block.`);
    open.passages.push(value);
    characters += value.text.length + value.headingPath.join('').length;
    if (characters > BLOCK_MAX_CHARACTERS) throw new AgentFileError(`${where}: this block is too large.`);
    if (open.passages.length < open.block.passages) continue;
    yield open;
    open = undefined;
  }
  if (open) throw new AgentFileError(`${parts.passages}: the last passages are missing.`);
}

/** Complete 32-bit floats, all of them finite. */
function isVector(base64: string): boolean {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0) return false;
  for (let at = 0; at < bytes.length; at += 4) if (!Number.isFinite(bytes.readFloatLE(at))) return false;
  return true;
}

function requireParts({ names }: Archive, wanted: string[]): void {
  const there = new Set(names);
  const missing = wanted.find((name) => !there.has(name));
  if (missing !== undefined) throw new AgentFileError(`${missing} is missing.`);
}
