import { useInfiniteQuery } from '@tanstack/react-query';
import type { KnowledgeState } from '../../../contract/knowledge.ts';
import { PAGE_SIZE_MAX, SOURCE_TEXT_PAGE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { laterApi } from '../../api/later-api.ts';

/** How often to poll the list of sources while they are being read. */
const POLL_MS = 3000;

export interface ItemKey {
  /** The agent's. */
  id: string;
  knowledgeId: string;
}

export interface SourceFilter {
  search: string;
  /** Empty: all states. */
  state: KnowledgeState | '';
}

const keyOf = ({ id, knowledgeId }: ItemKey) => ['knowledge', id, knowledgeId] as const;

/** An item's sources, page by page. */
export function useSources(item: ItemKey, { search, state }: SourceFilter, isUnderWay: boolean) {
  const filter = { ...(search.trim() && { search: search.trim() }), ...(state && { state }) };
  return useInfiniteQuery({
    queryKey: [...keyOf(item), 'sources', filter],
    queryFn: ({ pageParam, signal }) =>
      laterApi.source.list(
        { ...item, ...filter, count: 50, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: isUnderWay ? POLL_MS : false,
    meta: { failure: 'getKnowledge', quiet: true },
  });
}

/** A source's text in pages, starting with the one that contains a given offset. */
export function useSourceText(item: ItemKey, sourceId: string, at: number) {
  const size = SOURCE_TEXT_PAGE_MAX_CHARACTERS;
  const start = Math.floor(at / size) * size;
  return useInfiniteQuery({
    queryKey: [...keyOf(item), 'text', sourceId, start],
    queryFn: ({ pageParam, signal }) =>
      laterApi.source.get({ ...item, sourceId, offset: pageParam }, { signal }),
    initialPageParam: start,
    getNextPageParam: ({ nextOffset }) => nextOffset,
    getPreviousPageParam: (_first, _all, offset) => (offset > 0 ? Math.max(0, offset - size) : null),
    meta: { failure: 'getKnowledge', quiet: true },
  });
}

/** A source's passages. */
export function useChunks(item: ItemKey, sourceId: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(item), 'chunks', sourceId],
    queryFn: ({ pageParam, signal }) =>
      laterApi.source.listChunks(
        { ...item, sourceId, count: PAGE_SIZE_MAX, ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { failure: 'getKnowledge', quiet: true },
  });
}
