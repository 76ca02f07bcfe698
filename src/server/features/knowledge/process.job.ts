import { CRAWL_PAGES_MAX } from '../../../contract/limits.ts';
import { planOf } from '../../access/quota.ts';
import type { Tx } from '../../db/scope.ts';
import { filterYielding } from '../../load/yielding.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { withBlocks, type Analyse } from './index/analyse.ts';
import { createAnnouncer, type Announcer } from './announce.ts';
import type { ItemKey } from './keys.ts';
import { pagesMax, reasonOfCut } from './plan-rules.ts';
import { inItem, readSource, reasonOf, type Reading } from './read-source.ts';
import { reindex } from './index/reindex.ts';
import { findOpenRevision, updateRevision } from './revisions/revision-store.ts';
import { dropRevision, finishRevision, settleItem } from './revisions/revise.ts';
import { wantedBy } from './site/address.ts';
import { createSiteReader } from './site/site-reader.ts';
import * as sources from './source-store.ts';
import * as store from './store.ts';

/** How many sources are read concurrently; this doesn't speed up reading a single site. */
const READ_AT_ONCE = 4;
const LOOK_AHEAD = 40;
/** On a slow site, how often the pages read so far are made searchable, so that they can be used before the end. */
const SEARCHABLE_EVERY_MS = 10_000;
const GIVEN_UP = 'Something went wrong on our side. Try again.';

/**
 * Takes an item from `queued` to `ready` or `failed`. Every step is stored before the next one starts and can be
 * repeated, so after a kill at any moment another run continues where this one stopped. A source that can't be read is
 * marked with the reason and doesn't hold up the others. A first read becomes searchable as it progresses; a later one
 * replaces the old content all at once, when it is complete. `embedSoon` is called when there may be passages without a
 * vector.
 */
export function processKnowledge(deps: Deps, embedSoon: (key: ItemKey) => Promise<void>) {
  const site = createSiteReader({
    egress: deps.egress,
    requestsPerSecond: deps.config.crawlRequestsPerSecond,
  });
  return async (key: JobData['knowledge.process'], signal: AbortSignal): Promise<void> => {
    const found = await within(deps, key, async (tx) => {
      const item = await store.lockKnowledge(tx, key);
      const plan = await planOf(tx, deps.config, key.organizationId);
      return item && { item, plan, revision: await findOpenRevision(tx, key) };
    });
    if (!found || found.revision?.state === 'held') return;
    const { item, plan, revision } = found;
    const number = revision?.number ?? item.revision;
    const reading: Reading = { deps, key, item, plan, site, signal, revision: number };
    const announcer = createAnnouncer(deps, key);
    const reason = await findPages(reading);
    await readAll(reading, announcer);
    await finish(deps, key, { revision: reading.revision, reason, cut: reading.cut, signal });
    await announcer.settled();
    void embedSoon(key);
  };
}

function within<T>(
  { db }: Deps,
  { organizationId }: ItemKey,
  work: Parameters<typeof db.in<T>>[1],
): Promise<T> {
  return db.in({ organizationId }, work);
}

/** Turns a sitemap's pages into sources, all at once. Returns why there are none, if so. */
async function findPages(reading: Reading): Promise<string | undefined> {
  const { deps, key, item, site, signal, revision } = reading;
  if (item.site?.mode !== 'sitemap') return undefined;
  if ((await within(deps, key, (tx) => sources.countOfRevision(tx, key, revision))) > 0) return undefined;
  try {
    await within(deps, key, (tx) => store.setState(tx, key, 'fetching'));
    const pages = new Set<string>();
    const isWanted = wantedBy(item.site);
    for (const link of item.links) {
      const listed = await site.sitemapPages(link, { signal, maxPages: CRAWL_PAGES_MAX });
      for (const page of await filterYielding(listed, isWanted)) pages.add(page);
    }
    if (pages.size === 0) return 'The sitemap lists no pages that may be read.';
    const most = pagesMax(reading);
    if (pages.size > most) reading.cut = reasonOfCut(reading);
    const seeds = [...pages].slice(0, most).map((url) => ({ kind: 'page' as const, title: url, url }));
    await inItem(reading, async (tx) => void (await sources.insertSources(tx, key, revision, seeds)));
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return reason;
  }
}

/** Reads everything there is to read, including links found along the way. */
async function readAll(reading: Reading, announcer: Announcer): Promise<void> {
  const { deps, key, item, revision, signal } = reading;
  const isFirst = revision === item.revision;
  const tried = new Set<string>();
  let searchableAt = performance.now();
  for (;;) {
    const batch = await within(deps, key, (tx) => sources.listUnread(tx, key, reading, LOOK_AHEAD));
    const next = batch.filter(({ id }) => !tried.has(id));
    if (next.length === 0) break;
    const queue = next.values();
    const readOn = async (): Promise<void> => {
      for (const source of queue) {
        signal.throwIfAborted();
        tried.add(source.id);
        await deps.pace.step(() => readSource(reading, source));
        await announcer.changed();
        if (isFirst && performance.now() - searchableAt >= SEARCHABLE_EVERY_MS) {
          searchableAt = performance.now();
          await makeSearchable(reading);
        }
      }
    };
    await Promise.all(Array.from({ length: READ_AT_ONCE }, readOn));
  }
  if (isFirst) await makeSearchable(reading);
}

/** One block per transaction: index and state change together, so a source is `ready` exactly when it can be found. */
async function makeSearchable({ deps, key, revision, signal }: Reading): Promise<void> {
  await within(deps, key, (tx) => store.setState(tx, key, 'embedding'));
  let before = Infinity;
  for (;;) {
    const left = await deps.pace.step(() =>
      withBlocks<number>(
        (work) => within(deps, key, work),
        async (tx, analyse) => {
          if (!(await store.lockKnowledge(tx, key))) return 0;
          return reindex(tx, key, revision, analyse, 1);
        },
        signal,
      ),
    );
    if (left === 0 || left >= before) return;
    before = left;
  }
}

/** Settles the item when there is nothing left to read. */
async function finish(
  deps: Deps,
  key: ItemKey,
  {
    revision: ours,
    reason,
    cut,
    signal,
  }: { revision?: number; reason?: string | undefined; cut?: string | undefined; signal?: AbortSignal },
): Promise<void> {
  const settle = async (tx: Tx, analyse: Analyse): Promise<void> => {
    const item = await store.lockKnowledge(tx, key);
    if (!item) return;
    const revision = await findOpenRevision(tx, key);
    // A newer one has started meanwhile: its own run will settle the item.
    if (revision?.state === 'held' || (revision && ours !== undefined && revision.number > ours)) return;
    const number = revision?.number ?? item.revision;
    if ((await sources.listUnread(tx, key, { revision: number, item }, 1)).length > 0) return;
    if (revision && revision.number !== item.revision) {
      if (reason === undefined) {
        await finishRevision(tx, key, item, revision, analyse);
        if (cut !== undefined) await store.updateKnowledge(tx, key, { error: cut });
        return;
      }
      await dropRevision(tx, key, revision.number, 'failed', reason);
      await settleItem(tx, key, item, reason);
      return;
    }
    const isReady = await settleItem(tx, key, item, reason ?? cut);
    if (!revision) return;
    const added = (await sources.listLive(tx, key, revision.number)).length;
    await updateRevision(tx, key, revision.number, { state: isReady ? 'active' : 'failed', added });
  };
  await withBlocks((work) => within(deps, key, work), settle, signal);
}

/**
 * Runs when all attempts have failed: the item ends with a reason, and whatever can be found of it stays. One that has
 * ended stays as it is.
 */
export function giveUpKnowledge(deps: Deps) {
  return async (key: JobData['knowledge.process']): Promise<void> => {
    const isOpen = await within(deps, key, async (tx) => {
      const item = await store.lockKnowledge(tx, key);
      const open = await sources.listOpen(tx, key);
      await sources.updateSource(
        tx,
        key,
        open.map(({ id }) => id),
        { state: 'failed', error: GIVEN_UP },
      );
      const hasEnded = item?.state === 'ready' || item?.state === 'failed';
      return open.length > 0 || !hasEnded || (await findOpenRevision(tx, key)) !== undefined;
    });
    if (!isOpen) return;
    await finish(deps, key, { reason: GIVEN_UP });
    await createAnnouncer(deps, key).settled();
  };
}
