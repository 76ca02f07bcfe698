import type { ChunkRow, LanguageRow } from '../index/index-store.ts';
import type { Postings } from '../index/postings.ts';

/** For all agents together. */
const MOST_BYTES = 16 * 1024 * 1024;
/** A source's metadata (its title, its picture) can change without its passages; it is cached no longer than this. */
const BELIEVED_MS = 60_000;
/** Approximate size of a map entry and its objects. */
const ENTRY_BYTES = 200;

/** What was recently read from one state of an agent's index. */
export interface CachedIndex {
  postings: (
    terms: string[],
    read: (missing: string[]) => Promise<Map<string, Postings>>,
  ) => Promise<Map<string, Postings>>;
  chunks: (numbers: number[], read: (missing: number[]) => Promise<ChunkRow[]>) => Promise<ChunkRow[]>;
  languages: (read: () => Promise<LanguageRow[]>) => Promise<LanguageRow[]>;
}

interface Kept {
  version: string;
  since: number;
  bytes: number;
  terms: Map<string, Postings | undefined>;
  rows: Map<number, ChunkRow>;
  languages?: LanguageRow[];
}

/**
 * Caches what searches have read about currently active agents, so that the words and passages everyone asks about
 * aren't read from the database each time. Only for the state whose version the caller has just read there.
 */
export class IndexCache {
  readonly #agents = new Map<string, Kept>();
  #bytes = 0;

  of(agentId: string, version: string): CachedIndex {
    const kept = this.#kept(agentId, version);
    return {
      postings: async (terms, read) => {
        const missing = terms.filter((term) => !kept.terms.has(term));
        const found = missing.length > 0 ? await read(missing) : new Map<string, Postings>();
        for (const term of missing) {
          const postings = found.get(term);
          kept.terms.set(term, postings);
          this.#add(agentId, kept, ENTRY_BYTES + (postings?.bytes ?? 0));
        }
        return new Map(
          terms.flatMap((term) => {
            const postings = kept.terms.get(term) ?? found.get(term);
            return postings ? [[term, postings] as const] : [];
          }),
        );
      },
      chunks: async (numbers, read) => {
        const missing = numbers.filter((number) => !kept.rows.has(number));
        const found = missing.length > 0 ? await read(missing) : [];
        for (const row of found) {
          kept.rows.set(row.number, row);
          this.#add(agentId, kept, ENTRY_BYTES + 2 * row.text.length);
        }
        const byNumber = new Map(found.map((row) => [row.number, row]));
        return numbers.flatMap((number) => byNumber.get(number) ?? kept.rows.get(number) ?? []);
      },
      languages: async (read) => (kept.languages ??= await read()),
    };
  }

  /** Moved to the end: those at the beginning are the least recently used. */
  #kept(agentId: string, version: string): Kept {
    const now = performance.now();
    const known = this.#agents.get(agentId);
    const isGood = known && known.version === version && now - known.since < BELIEVED_MS;
    if (known) this.#forget(agentId, known);
    const kept: Kept = isGood ? known : { version, since: now, bytes: 0, terms: new Map(), rows: new Map() };
    this.#agents.set(agentId, kept);
    this.#bytes += kept.bytes;
    return kept;
  }

  #forget(agentId: string, kept: Kept): void {
    this.#agents.delete(agentId);
    this.#bytes -= kept.bytes;
  }

  #add(agentId: string, kept: Kept, bytes: number): void {
    // Someone may have found a newer state meanwhile.
    if (this.#agents.get(agentId) !== kept) return;
    kept.bytes += bytes;
    this.#bytes += bytes;
    for (const [other, oldest] of this.#agents) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#forget(other, oldest);
    }
  }
}
