import { createHash } from 'node:crypto';
import { CRAWL_PAGES_MAX } from '../../../contract/limits.ts';
import { requireRoom } from '../../access/quota.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/scope.ts';
import type { Deps } from '../../deps.ts';
import { findFiles } from '../file/store.ts';
import { leavingFor } from './exchange-files.ts';
import type { ItemKey } from './keys.ts';
import { pagesMax, reasonOfCut, textBytesOf, type KnownPlan } from './plan-rules.ts';
import { UnreadableError, type Document } from './read/document.ts';
import { kindOf, readDocument, type ReadRequest } from './read/read.ts';
import { findOpenRevision } from './revisions/revision-store.ts';
import { isOfSite, isWanted } from './site/address.ts';
import { linksToFollow } from './site/follow.ts';
import { keepProductImage } from './site/product-image.ts';
import type { SiteReader } from './site/site-reader.ts';
import * as sources from './source-store.ts';
import type { SourceChanges, StoredSource } from './source-store.ts';
import * as store from './store.ts';
import type { StoredKnowledge } from './store.ts';
import { WorkerError } from './worker/run.ts';

/** One run for an item. */
export interface Reading {
  deps: Deps;
  key: ItemKey;
  item: StoredKnowledge;
  /** The revision being read: initially the item's own, later a newer one. */
  revision: number;
  /** The plan; undefined: nothing is limited. */
  plan: KnownPlan | undefined;
  /** Why not all of the site is read, if so. */
  cut?: string | undefined;
  site: SiteReader;
  signal: AbortSignal;
}

type Obtained =
  | { kind: 'document'; request: ReadRequest; found: SourceChanges }
  | { kind: 'unchanged' }
  | { kind: 'list'; url: string }
  | { kind: 'gone'; reason: string };

/** Fetches and extracts one source and stores the result: a text, or the reason why there is none. */
export async function readSource(reading: Reading, source: StoredSource): Promise<void> {
  const before = await find(reading, source);
  try {
    await step(reading, source, 'fetching');
    const obtained = await obtain(reading, source, before);
    if (obtained.kind === 'unchanged') return await keep(reading, source, before, {});
    if (obtained.kind === 'list') return await readList(reading, source, obtained.url);
    if (obtained.kind === 'gone') return await leaveOut(reading, source, before, obtained.reason);
    await step(reading, source, 'extracting');
    const document = await readDocument(obtained.request, reading.signal);
    const links = await linksFrom(reading, source, document);
    if (document.isHidden) {
      await inItem(reading, (tx) => addPages(tx, reading, source, links));
      return await leaveOut(reading, source, before, 'The page asks not to be indexed (noindex).');
    }
    await keepDocument(reading, source, before, { ...document, links }, obtained.found);
  } catch (error) {
    reading.signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const note = source.fileId === null ? sources.NOT_READ_AGAIN : sources.NOT_REPLACED;
    const again = before?.state === 'ready' ? `${note} ` : '';
    if (before) await keep(reading, source, before, { error: `${again}${reason}` });
    else await within(reading, (tx) => fail(tx, reading, source, reason));
  }
}

function within<T>({ deps, key }: Reading, work: (tx: Tx) => Promise<T>): Promise<T> {
  return deps.db.in({ organizationId: key.organizationId }, work);
}

/**
 * For changes to more than one row: the item is locked first, as by everybody who changes it. Otherwise removing it, which locks
 * its sources after it, could end in a deadlock. Does nothing if the item is gone, or if the revision has been dropped
 * for a newer one, whose content this run must not touch.
 */
export function inItem(reading: Reading, work: (tx: Tx) => Promise<void>): Promise<void> {
  const { key, revision } = reading;
  return within(reading, async (tx) => {
    const item = await store.lockKnowledge(tx, key);
    if (!item) return;
    const open = await findOpenRevision(tx, key);
    if ((open?.number ?? item.revision) === revision) await work(tx);
  });
}

/** What a source takes the place of, when a newer revision is being read: what is searchable at its address, or a file that leaves. */
async function find(reading: Reading, source: StoredSource): Promise<StoredSource | undefined> {
  const { key, item, revision } = reading;
  const { url, fileId } = source;
  if (revision === item.revision) return undefined;
  if (url !== null) return within(reading, (tx) => sources.findLive(tx, key, item.revision, { url }));
  return fileId === null ? undefined : within(reading, (tx) => findLeaving(tx, reading, source));
}

/** The file that this one replaces, if any. */
async function findLeaving(
  tx: Tx,
  { key, item, revision }: Reading,
  source: StoredSource,
): Promise<StoredSource | undefined> {
  const live = await sources.listLive(tx, key, revision);
  const fresh = live.filter((each) => each.revision === revision);
  const leaving = live.filter((each) => each.revision < revision && each.checkedIn !== revision);
  const old = leavingFor(source, fresh, leaving);
  return old && sources.findLive(tx, key, item.revision, { id: old.id });
}

async function step(reading: Reading, source: StoredSource, state: 'fetching' | 'extracting'): Promise<void> {
  const { key, item } = reading;
  const set = (tx: Tx) => sources.updateSource(tx, key, source.id, { state });
  if (item.state === state) return within(reading, set);
  await inItem(reading, async (tx) => {
    await set(tx);
    await store.setState(tx, key, state);
  });
  item.state = state;
}

async function obtain(
  { deps, site, signal }: Reading,
  source: StoredSource,
  before: StoredSource | undefined,
): Promise<Obtained> {
  if (source.url !== null) {
    // A source with a note is reread in full: only then is it known whether the note still applies.
    const isWhole = before?.state === 'ready' && before.error === null;
    const known = isWhole ? { etag: before.etag, lastModified: before.lastModified } : {};
    const answer = await site.fetchPage(source.url, { signal, ...known });
    if (answer.kind === 'list') return { kind: 'list', url: source.url };
    if (answer.kind !== 'page') return answer;
    const isElsewhere = source.depth > 0 && !isOfSite(answer.url, source.url);
    if (isElsewhere && !before) return { kind: 'gone', reason: 'This address leads to another site.' };
    const { etag, lastModified, request } = answer;
    return { kind: 'document', request, found: { etag, lastModified } };
  }
  const { organizationId, fileId } = source;
  const [file] =
    fileId === null
      ? []
      : await deps.db.in({ organizationId }, (tx) => findFiles(tx, organizationId, [fileId]));
  const kind = file && kindOf(file.mediaType);
  if (!kind) throw new UnreadableError('The file no longer exists.');
  return { kind: 'document', request: { kind, data: await deps.storage.get(file.storageKey) }, found: {} };
}

/** The old source stays; there is nothing new at its address. */
async function keep(
  reading: Reading,
  source: StoredSource,
  before: StoredSource | undefined,
  changes: SourceChanges,
): Promise<void> {
  if (!before) return;
  const { key, revision } = reading;
  await inItem(reading, async (tx) => {
    await sources.deleteSources(tx, key, [source.id]);
    await sources.updateSource(tx, key, before.id, { error: null, ...changes, checkedIn: revision });
  });
}

/** A requested page is reported as missing; one that was only linked to isn't. */
async function leaveOut(
  reading: Reading,
  source: StoredSource,
  before: StoredSource | undefined,
  reason: string,
): Promise<void> {
  await within(reading, async (tx) => {
    if (before || source.depth > 0) await sources.deleteSources(tx, reading.key, [source.id]);
    else await fail(tx, reading, source, reason);
  });
}

async function fail(tx: Tx, { key }: Reading, source: StoredSource, error: string): Promise<void> {
  await sources.updateSource(tx, key, source.id, { state: 'failed', error });
}

async function keepDocument(
  reading: Reading,
  source: StoredSource,
  before: StoredSource | undefined,
  document: Document & { links: string[] },
  found: SourceChanges,
): Promise<void> {
  const { key, item, revision } = reading;
  const contentHash = hashOf(document);
  // Files with the same text may still look different.
  const isSame =
    before?.state === 'ready' && before.contentHash === contentHash && before.fileId === source.fileId;
  const card = isSame ? before.card : await cardOf(reading, source, document);
  const grown = isSame ? 0 : textBytesOf([document]) - textBytesOf(before ? [before] : []);
  await inItem(reading, async (tx) => {
    if (!before && (await isKept(tx, reading, source, document)))
      return sources.deleteSources(tx, key, [source.id]);
    if (grown > 0) await requireRoom(tx, reading.deps.config, key.organizationId, 'knowledgeBytes', grown);
    await addPages(tx, reading, source, document.links);
    if (isSame) return;
    const { text, title } = document;
    const isPage = source.url !== null;
    await sources.updateSource(tx, key, source.id, {
      ...found,
      text,
      contentHash,
      card,
      // A file keeps its name, because people look for it. A page uses its own title.
      title: isPage ? (title ?? source.title) : source.title,
      url: await addressOf(tx, reading, source, document),
      state: 'embedding',
      error: document.leftOut ?? null,
    });
    if (isPage && title && revision === item.revision) await store.nameAfterPage(tx, key, title);
  });
  if (isSame) await keep(reading, source, before, { ...found, card, error: document.leftOut ?? null });
}

function hashOf({ text }: Document): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a page that was only linked to has been read at its canonical address: it is the same one, not a new one. */
async function isKept(
  tx: Tx,
  { key, revision }: Reading,
  source: StoredSource,
  document: Document,
): Promise<boolean> {
  const { canonical } = document;
  if (canonical === undefined || canonical === source.url || source.depth === 0) return false;
  const known = await sources.knownAddresses(tx, key, revision, [canonical], hashOf(document));
  return known.size > 0;
}

/** A page found at several addresses is stored under its canonical one, if no other page has that. */
async function addressOf(
  tx: Tx,
  { key, item, revision }: Reading,
  source: StoredSource,
  { canonical }: Document,
): Promise<string | null> {
  if (canonical === undefined || source.url === null || source.depth === 0 || !item.site) return source.url;
  if (!isOfSite(canonical, source.url) || !isWanted(canonical, item.site)) return source.url;
  const known = await sources.knownAddresses(tx, key, revision, [canonical]);
  return known.size > 0 ? source.url : canonical;
}

/** Pages on the same site that a page links to and that may be read, if the whole site was requested. */
async function linksFrom(
  reading: Reading,
  { url, depth }: StoredSource,
  document: Document,
): Promise<string[]> {
  const { item, site, signal } = reading;
  if (item.site?.mode !== 'domain' || url === null) return [];
  return site.allowedOf(await linksToFollow(document, { url, depth }, item.site, item.links), signal);
}

/** A feed or sitemap instead of a page: what it lists is what was requested. One that a page merely links to is skipped. */
async function readList(reading: Reading, source: StoredSource, url: string): Promise<void> {
  const { key, item, site, signal } = reading;
  const isAskedFor = source.depth === 0;
  const options = { signal, maxPages: CRAWL_PAGES_MAX, site: item.site ?? undefined };
  const pages = isAskedFor ? await site.sitemapPages(url, options) : [];
  if (isAskedFor && pages.length === 0)
    throw new UnreadableError('This is a list of pages, but none of them is on this site and may be read.');
  await inItem(reading, async (tx) => {
    await sources.deleteSources(tx, key, [source.id]);
    await addPages(tx, reading, source, pages);
  });
}

/** Further pages to read, as many as there is room for. */
async function addPages(tx: Tx, reading: Reading, from: StoredSource, links: string[]): Promise<void> {
  const { key, revision } = reading;
  const room = pagesMax(reading) - (await sources.countOfRevision(tx, key, revision));
  const known = await sources.knownAddresses(tx, key, revision, links);
  const unknown = links.filter((url) => !known.has(url));
  if (unknown.length > room) reading.cut ??= reasonOfCut(reading);
  const fresh = unknown.slice(0, Math.max(0, room));
  const seeds = fresh.map((url) => ({ kind: from.kind, title: url, url, depth: from.depth + 1 }));
  await sources.insertSources(tx, key, revision, seeds);
}

async function cardOf(
  { deps, item, signal }: Reading,
  source: StoredSource,
  { card, title }: Document,
): Promise<StoredSource['card']> {
  if (item.type !== 'product') return null;
  const described = card ?? {
    name: title ?? source.title,
    description: null,
    price: null,
    currency: null,
    image: null,
  };
  const image = card?.image ? await keepProductImage(deps, card.image, signal) : null;
  return { ...described, url: source.url, image };
}

/** The message for the person; undefined if it isn't the source's fault, which means it is retried. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreadableError || error instanceof WorkerError) return error.message;
  if (error instanceof AppError && error.status < 500) return error.message;
  return error instanceof AppError && error.code === 'egress/failed' ? error.message : undefined;
}
