import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../query-client.ts';
import { sessionState } from '../../session.ts';
import { useStore } from '../../store.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { PlainButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './chat.module.css';
import { useConversationNews } from './use-conversation-news.ts';

/** My conversations, newest first. */
export function ConversationList({ openId }: { openId: string | undefined }) {
  const { status } = useStore(sessionState);
  const list = useConversations(status === 'signed-in');
  useConversationNews(status === 'signed-in');
  if (status === 'signed-out') return <p className={style['hint']}>{t('chats.signedOut')}</p>;
  if (list.error)
    return <ErrorState bare message={describeError(list.error)} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Skeleton shape="row" />;
  const conversations = list.data.pages.flatMap((page) => page.conversations);
  return (
    <nav className={style['list']} aria-label={t('nav.conversations')}>
      {conversations.length === 0 && <p className={style['hint']}>{t('chats.none')}</p>}
      <ul>
        {conversations.map(({ id, title, agent, updatedAt }) => (
          <li key={id}>
            <Link
              to="/chat/{-$id}"
              params={{ id }}
              className={style['entry']}
              aria-current={id === openId ? 'page' : undefined}
            >
              <Avatar name={agent.name} photo={agent.profilePhoto} />
              <span className={style['entryText']}>
                <span className={style['entryTitle']}>{title}</span>
                <span className={style['entryDetail']}>
                  {agent.name}, <TimeAgo at={updatedAt} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <PlainButton disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('chats.more')}
        </PlainButton>
      )}
    </nav>
  );
}

function useConversations(enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['conversations'],
    queryFn: ({ pageParam, signal }) => api.chat.list({ cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled,
    meta: { failure: 'getConversations', quiet: true },
  });
}
