import { createHash } from 'node:crypto';
import { AppError } from '../../app-error.ts';
import type { Deps } from '../../deps.ts';
import type { JobData } from '../../jobs/jobs.ts';
import { findFiles } from '../file/store.ts';
import { indexSources } from './index.ts';
import type { ItemKey } from './index-store.ts';
import { fetchPage, type RobotRules } from './page.ts';
import { progressOf } from './present.ts';
import { UnreadableError, type Document } from './read/document.ts';
import { kindOf, readDocument, type ReadRequest } from './read/read.ts';
import * as store from './store.ts';
import type { StoredSource } from './store.ts';
import { WorkerError } from './worker/run.ts';

/** Sources are made searchable together, in blocks of about this much text: a row of the index serves them all. */
const BLOCK_CHARACTERS = 1_000_000;
/** Of a slow site, what has been read is made searchable this often, so that it can be asked before the end. */
const BLOCK_AT_LEAST_EVERY_MS = 10_000;

/**
 * Brings an item from `queued` to `ready` or `failed`. Every step is stored before the next one begins and can be done
 * again, so after a kill at any moment another run goes on where this one was. A source that cannot be read is marked
 * with the reason and does not hold up the others.
 */
export function processKnowledge(deps: Deps) {
  return async (item: JobData['knowledge.process'], signal: AbortSignal): Promise<void> => {
    const sources = await inItem(deps, item, async (tx) => {
      if (!(await store.lockKnowledge(tx, item.agentId, item.knowledgeId))) return [];
      return store.listOpenSources(tx, item.knowledgeId);
    });
    const robots = new Map<string, Promise<RobotRules>>();
    let waiting: string[] = [];
    let characters = 0;
    let blockedAt = Date.now();
    for (const source of sources) {
      const text =
        source.state === 'embedding' ? source.text : await readSource(deps, item, source, robots, signal);
      if (text === null) continue;
      waiting.push(source.id);
      characters += text.length;
      if (characters < BLOCK_CHARACTERS && Date.now() - blockedAt < BLOCK_AT_LEAST_EVERY_MS) continue;
      await makeSearchable(deps, item, waiting, signal);
      waiting = [];
      characters = 0;
      blockedAt = Date.now();
    }
    if (waiting.length > 0) await makeSearchable(deps, item, waiting, signal);
    await settle(deps, item);
  };
}

function inItem<T>(
  { db }: Deps,
  { organizationId }: ItemKey,
  work: Parameters<typeof db.in<T>>[1],
): Promise<T> {
  return db.in({ organizationId }, work);
}

/** Fetches and extracts one source and stores its text; null when it could not be read, which is stored as well. */
async function readSource(
  deps: Deps,
  item: ItemKey,
  source: StoredSource,
  robots: Map<string, Promise<RobotRules>>,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    await step(deps, item, source.id, 'fetching');
    const { request, ...found } = await obtain(deps, source, robots, signal);
    await step(deps, item, source.id, 'extracting');
    const document = await readDocument(request, signal);
    await inItem(deps, item, async (tx) => {
      await store.updateSource(tx, source.id, {
        ...found,
        ...described(source, document),
        state: 'embedding',
        error: null,
      });
      if (source.kind === 'page' && document.title)
        await store.nameAfterPage(tx, item.knowledgeId, document.title);
    });
    return document.text;
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await inItem(deps, item, (tx) => store.updateSource(tx, source.id, { state: 'failed', error: reason }));
    await announce(deps, item);
    return null;
  }
}

function described(source: StoredSource, { title, text }: Document) {
  const contentHash = createHash('sha256').update(text).digest('hex');
  // A file keeps its name: people look for it. A page is called as it calls itself.
  return { text, contentHash, title: source.kind === 'page' ? (title ?? source.title) : source.title };
}

type Obtained = { request: ReadRequest } & Partial<Pick<StoredSource, 'url' | 'etag' | 'lastModified'>>;

async function obtain(
  deps: Deps,
  source: StoredSource,
  robots: Map<string, Promise<RobotRules>>,
  signal: AbortSignal,
): Promise<Obtained> {
  if (source.url !== null) {
    const { url, etag, lastModified, ...request } = await fetchPage(deps.egress, robots, source.url, signal);
    return { request, url, etag, lastModified };
  }
  const { organizationId, fileId } = source;
  const [file] =
    fileId === null
      ? []
      : await deps.db.in({ organizationId }, (tx) => findFiles(tx, organizationId, [fileId]));
  const kind = file && kindOf(file.mediaType);
  if (!kind) throw new UnreadableError('The file is not there any more.');
  return { request: { kind, data: await deps.storage.get(file.storageKey) } };
}

/** What to do when all tries have failed: the item ends, with a reason, and what of it can be found stays. */
export function giveUpKnowledge(deps: Deps) {
  return async (item: JobData['knowledge.process']): Promise<void> => {
    await inItem(deps, item, async (tx) => {
      for (const { id } of await store.listOpenSources(tx, item.knowledgeId)) {
        await store.updateSource(tx, id, {
          state: 'failed',
          error: 'Something went wrong on our side. Delete it and add it again.',
        });
      }
    });
    await settle(deps, item);
  };
}

/** Index and state change together: a source is `ready` exactly when it can be found. */
async function makeSearchable(
  deps: Deps,
  item: ItemKey,
  sourceIds: string[],
  signal: AbortSignal,
): Promise<void> {
  await inItem(deps, item, (tx) => store.updateKnowledge(tx, item.knowledgeId, { state: 'embedding' }));
  await announce(deps, item);
  await inItem(deps, item, async (tx) => {
    if (!(await store.lockKnowledge(tx, item.agentId, item.knowledgeId))) return;
    await indexSources(tx, item, sourceIds, signal);
    await store.updateSources(tx, sourceIds, 'ready');
  }).catch(async (error: unknown) => {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    for (const id of sourceIds)
      await inItem(deps, item, (tx) => store.updateSource(tx, id, { state: 'failed', error: reason }));
  });
  await announce(deps, item);
}

async function step(
  deps: Deps,
  item: ItemKey,
  sourceId: string,
  state: 'fetching' | 'extracting',
): Promise<void> {
  await inItem(deps, item, async (tx) => {
    await store.updateSource(tx, sourceId, { state });
    await store.updateKnowledge(tx, item.knowledgeId, { state });
  });
  await announce(deps, item);
}

/** An item of which something can be found is ready, whatever else went wrong with it; the reason is kept. */
async function settle(deps: Deps, item: ItemKey): Promise<void> {
  await inItem(deps, item, async (tx) => {
    const [found] = await store.listKnowledge(tx, item.agentId, item.knowledgeId);
    if (!found || found.done + found.failed < found.total) return;
    const error = await store.firstError(tx, item.knowledgeId);
    await store.updateKnowledge(tx, item.knowledgeId, { state: found.done > 0 ? 'ready' : 'failed', error });
  });
  await announce(deps, item);
}

async function announce(deps: Deps, item: ItemKey): Promise<void> {
  const items = await inItem(deps, item, (tx) => store.listKnowledge(tx, item.agentId));
  deps.realtime.toAgentWatchers(item.agentId, 'knowledge.progress.update.result', {
    knowledgeProgress: progressOf(item.agentId, items),
  });
}

/** Words for the person; undefined for what is no fault of the source, which is tried again. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreadableError || error instanceof WorkerError) return error.message;
  if (error instanceof AppError && error.status < 500) return error.message;
  return error instanceof AppError && error.code === 'egress/failed' ? error.message : undefined;
}
