import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Found } from '../../../contract/history.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { PlainButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import style from './chat.module.css';
import { EntryDetail } from './entry-detail.tsx';
import { MarkedText } from './marked-text.tsx';

/** The conversations that contain every search word, each with the place where. */
export function SearchResults({ query }: { query: string }) {
  const list = useInfiniteQuery({
    queryKey: ['conversations', 'search', query],
    queryFn: ({ pageParam, signal }) => api.history.search({ query, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: (before) => before,
    meta: { failure: 'getConversations', quiet: true },
  });
  if (list.error && !list.data)
    return <ErrorState bare message={describeError(list.error)} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Skeleton shape="row" />;
  const found = list.data.pages.flatMap((page) => page.found);
  return (
    <div className={style['list']}>
      {found.length === 0 && (
        <p className={style['hint']} role="status">
          {t('chats.nothingFound', { query })}
        </p>
      )}
      <ul aria-label={t('chats.found')}>
        {found.map((place) => (
          <li key={place.conversation.id} className={style['entry']}>
            <Place place={place} query={query} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <PlainButton disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('chats.more')}
        </PlainButton>
      )}
    </div>
  );
}

function Place({ place: { conversation, messageId, excerpt }, query }: { place: Found; query: string }) {
  return (
    <Link
      to="/chat/{-$id}"
      params={{ id: conversation.id }}
      search={messageId === null ? {} : { message: messageId }}
      className={style['entryLink']}
    >
      <span className={style['entryText']}>
        <span className={style['entryTitle']}>
          <MarkedText text={conversation.title} query={query} />
        </span>
        <span className={style['excerpt']} dir="auto">
          <MarkedText text={excerpt} query={query} />
        </span>
        <EntryDetail conversation={conversation} />
      </span>
    </Link>
  );
}
