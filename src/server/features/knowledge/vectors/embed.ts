import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps as AllDeps } from '../../../deps.ts';
import { EmbeddingError, type Embedder } from '../../../llm/embed.ts';
import { createAnnouncer } from '../announce.ts';
import { vectorIndexKeeper } from './keep-vector-index.ts';
import type { AgentKey } from '../keys.ts';
import {
  explainUnembedded,
  listAgentsToEmbed,
  listUnembedded,
  readTexts,
  writeRefusal,
  writeVectors,
  type PassageText,
} from './vector-store.ts';

/** How often to look for passages without a vector, whatever the cause: a fault, a kill, another model. */
export const EMBED_SWEEP_MS = 15_000;
/** Passages fetched at once. */
const LOOK_AHEAD = 5_000;
/** The number of attempts per batch on a busy model before its passages wait for the next sweep. */
const TRIES = 5;
/** The delays after which a rejected passage is retried; then it is given up. */
const REFUSED_REST_MINUTES = [1, 10, 60, 360];
/** A model that rejects this as well isn't rejecting passages for their content. */
const HARMLESS_TEXT = 'Good morning.';
const TITLE_MAX_CHARACTERS = 500;

type Deps = Pick<AllDeps, 'db' | 'log' | 'realtime' | 'embedding'>;

export interface EmbedWork {
  /** Embeds an agent's passages without vectors, when its turn comes. Never rejects. */
  soon: (key: AgentKey) => Promise<void>;
  /** The same for all agents. */
  sweep: () => Promise<void>;
  /** Builds the vector index when an agent has become large, if the database supports it. */
  keepIndex: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Embeds passages, one agent after another. The only state is that a passage has no vector: after a kill at any moment
 * the next sweep continues where this one stopped. Meanwhile, and when the model is unavailable, passages are found by
 * their words.
 */
export function startEmbedWork(deps: Deps): EmbedWork {
  const { embedding, log } = deps;
  if (!embedding) return { soon: nothing, sweep: nothing, keepIndex: nothing, stop: nothing };
  const { embedder } = embedding;
  const stopping = new AbortController();
  const waiting = new Set<string>();
  let work = Promise.resolve();
  /** Why the model is unavailable: agents waiting behind the one that discovered it are told at once. */
  let fault: string | undefined;

  const serve = async (key: AgentKey): Promise<void> => {
    waiting.delete(key.agentId);
    if (stopping.signal.aborted) return;
    const reason = fault ?? (await embedAgent(deps, embedder, key, stopping.signal));
    fault = waiting.size > 0 ? reason : undefined;
    await explain(deps, embedder, key, reason);
  };
  const soon = (key: AgentKey): Promise<void> => {
    if (waiting.has(key.agentId) || stopping.signal.aborted) return work;
    waiting.add(key.agentId);
    work = work
      .then(() => serve(key))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.warn({ err: error, agentId: key.agentId }, 'passages could not be embedded');
      });
    return work;
  };
  return {
    soon,
    sweep: async () => {
      for (const key of await listAgentsToEmbed(deps.db.owner, embedder.name)) void soon(key);
      await work;
    },
    keepIndex: vectorIndexKeeper(deps, embedder, stopping),
    stop: async () => {
      stopping.abort();
      await work;
    },
  };
}

async function nothing(): Promise<void> {}

/** Returns why the model is unavailable: its own state rather than these passages' content, so others would fare no better. */
async function embedAgent(
  deps: Deps,
  embedder: Embedder,
  key: AgentKey,
  signal: AbortSignal,
): Promise<string | undefined> {
  let after = '';
  try {
    for (;;) {
      const page = { after, most: LOOK_AHEAD };
      const ids = await deps.db.in(key, (tx) => listUnembedded(tx, key, embedder, page));
      after = ids.at(-1) ?? '';
      if (after === '') return undefined;
      for (let at = 0; at < ids.length; at += embedder.batchSize) {
        const batch = ids.slice(at, at + embedder.batchSize);
        await embedBatch(deps, embedder, key, { batch, signal });
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EmbeddingError)) throw error;
    deps.log.warn(
      { err: error, agentId: key.agentId, model: embedder.name },
      'passages could not be embedded',
    );
    return error.message;
  }
}

/** No connection is held while the model is called. */
async function embedBatch(
  { db }: Deps,
  embedder: Embedder,
  key: AgentKey,
  { batch, signal }: { batch: string[]; signal: AbortSignal },
): Promise<void> {
  const passages = await db.in(key, (tx) => readTexts(tx, key, batch));
  if (passages.length === 0) return;
  const give = async (some: PassageText[]): Promise<void> => {
    const vectors = await patiently(embedder, some.map(textOf), signal);
    const given = some.flatMap(({ chunkId }, at) => {
      const vector = vectors[at];
      return vector ? [{ chunkId, vector }] : [];
    });
    await db.in(key, (tx) => writeVectors(tx, key, embedder.name, given));
  };
  try {
    await give(passages);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await patiently(embedder, [HARMLESS_TEXT], signal);
    for (const passage of passages) {
      const refusal = await refusalOf(() => give([passage]));
      if (refusal !== undefined)
        await db.in(key, (tx) =>
          writeRefusal(tx, key, embedder.name, { ...passage, refusal, rests: REFUSED_REST_MINUTES }),
        );
    }
  }
}

/** A text that a model rejects doesn't keep the others from getting vectors. */
async function refusalOf(give: () => Promise<void>): Promise<string | undefined> {
  try {
    await give();
    return undefined;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.message;
  }
}

function isRefusal(error: unknown): error is EmbeddingError {
  return error instanceof EmbeddingError && error.isRefusal;
}

/** Retries a few times when a model asks for a delay. */
async function patiently(embedder: Embedder, texts: string[], signal: AbortSignal) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await embedder.embed(texts, { purpose: 'passage', signal });
    } catch (error) {
      const wait = error instanceof EmbeddingError ? error.retryAfterMs : undefined;
      if (wait === undefined || attempt >= TRIES) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
}

/** A passage says more with the titles of what it is part of. */
function textOf({ title, headingPath, text }: PassageText): string {
  const headings = headingPath.join(' > ');
  return [title, headings]
    .map((part) => part.slice(0, TITLE_MAX_CHARACTERS))
    .concat(text)
    .filter((part) => part.trim() !== '')
    .join('\n');
}

async function explain(
  deps: Deps,
  embedder: Embedder,
  key: AgentKey,
  reason: string | undefined,
): Promise<void> {
  const changed = await deps.db.in(key, (tx) => explainUnembedded(tx, key, embedder.name, reason));
  if (changed > 0) await createAnnouncer(deps, key).settled();
}
