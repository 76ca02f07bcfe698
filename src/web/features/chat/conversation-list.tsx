import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { PlainButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import style from './chat.module.css';
import { ConversationEntry } from './conversation-entry.tsx';
import { groupByTime } from './group-by-time.ts';
import { SearchField } from './search-field.tsx';
import { useSettled } from '../../hooks/use-settled.ts';
import { useConversationNews } from './use-conversation-news.ts';
import { later } from '../../ui/later.ts';

const SearchResults = later(async () => (await import('./search-results.tsx')).SearchResults);

/** The person's conversations, pinned ones first, then by last message; or the results of a search. */
export function ConversationList({ openId }: { openId: string | undefined }) {
  const { status } = useStore(sessionState);
  const [query, setQuery] = useState('');
  const wanted = useSettled(query.trim());
  useConversationNews(status === 'signed-in');
  if (status === 'signed-out') return <p className={style['hint']}>{t('chats.signedOut')}</p>;
  return (
    <nav className={style['nav']} aria-label={t('nav.conversations')}>
      <SearchField value={query} onChange={setQuery} />
      {wanted === '' ? (
        <Conversations enabled={status === 'signed-in'} openId={openId} />
      ) : (
        <Suspense fallback={<Skeleton shape="row" />}>
          <SearchResults query={wanted} />
        </Suspense>
      )}
    </nav>
  );
}

function Conversations({ enabled, openId }: { enabled: boolean; openId: string | undefined }) {
  const list = useConversations(enabled);
  if (list.error && !list.data)
    return <ErrorState bare message={describeError(list.error)} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Skeleton shape="row" />;
  const conversations = list.data.pages.flatMap((page) => page.conversations);
  return (
    <div className={style['list']}>
      {conversations.length === 0 && <p className={style['hint']}>{t('chats.none')}</p>}
      {groupByTime(conversations).map(([group, members]) => (
        <section key={group} className={style['group']} aria-label={t(group)}>
          <h2>{t(group)}</h2>
          <ul>
            {members.map((conversation) => (
              <ConversationEntry
                key={conversation.id}
                conversation={conversation}
                isOpen={conversation.id === openId}
              />
            ))}
          </ul>
        </section>
      ))}
      {list.hasNextPage && (
        <PlainButton disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('chats.more')}
        </PlainButton>
      )}
    </div>
  );
}

function useConversations(enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['conversations'],
    queryFn: ({ pageParam, signal }) =>
      api.chat.list({ cursor: pageParam, count: 30, begun: 'true' }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled,
    meta: { failure: 'getConversations', quiet: true },
  });
}
