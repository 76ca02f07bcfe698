import { IconLinkOff } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { PublicAgent } from '../../../contract/chatbot.ts';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api/api.ts';
import { Dressed } from '../../chat/dressed.tsx';
import { Mark } from '../../chat/mark.tsx';
import { t } from '../../messages/t.ts';
import { usePageName } from '../../routing/page-name.ts';
import { describeError } from '../../queries/query-client.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass, PlainButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import style from './chat.module.css';
import './messages.ts';
import { SignInLink } from './sign-in-link.tsx';
import { later } from '../../ui/later.ts';

const Reading = later(async () => (await import('../../chat/reading.tsx')).Reading);

/** A shared conversation, read-only. */
export function SharedConversation({ token }: { token: string }) {
  const { user } = useStore(sessionState);
  const shared = useInfiniteQuery({
    // Signing in may make the link accessible.
    queryKey: ['shared', token, user?.uid],
    queryFn: ({ pageParam, signal }) =>
      api.chatLink.open({ token, cursor: pageParam, count: 50 }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    meta: { failure: 'getConversation', quiet: true },
  });
  const conversation = shared.data?.pages[0]?.conversation;
  if (!conversation) return <NotShown error={shared.error} onRetry={() => void shared.refetch()} />;
  const { agent, title } = conversation;
  const unread = {
    earlier: shared.data?.pages.at(-1)?.nextCursor ?? null,
    showEarlier: async () => !(await shared.fetchNextPage()).isError,
  };
  return (
    <Dressed appearance={agent.appearance}>
      <SharedHead agent={agent} title={title} />
      <Suspense>
        <Reading
          agent={agent}
          asker={t('chats.asker')}
          unread={unread}
          messages={shared.data?.pages.flatMap((page) => page.messages) ?? []}
        >
          {shared.hasNextPage && (
            <PlainButton disabled={shared.isFetchingNextPage} onClick={() => void shared.fetchNextPage()}>
              {t('chats.more')}
            </PlainButton>
          )}
        </Reading>
      </Suspense>
      <footer className={style['foot']}>
        <Link to="/chat/{-$id}" params={{ id: agent.handle || agent.id }} className={buttonClass('primary')}>
          {t('chats.startOwn', { agent: agent.name })}
        </Link>
      </footer>
    </Dressed>
  );
}

function SharedHead({ agent, title }: { agent: PublicAgent; title: string }) {
  usePageName(title);
  return (
    <header className={style['head']}>
      <Mark agent={agent} />
      <div className={style['heading']}>
        <h1 className={style['name']}>{title}</h1>
        <p className={style['subtitle']}>
          {t('chats.shared')}, {agent.name}
        </p>
      </div>
      <span className={style['badge']}>{t('chats.sharedReadOnly')}</span>
    </header>
  );
}

function NotShown({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { user } = useStore(sessionState);
  const isNobody = !user || user.isAnonymous;
  const isClosed = error instanceof ApiError && [400, 401, 403, 404].includes(error.status);
  return (
    <div className={style['centre']}>
      {!error && <Skeleton shape="line" />}
      {error && !isClosed && <ErrorState bare message={describeError(error)} onRetry={onRetry} />}
      {isClosed && (
        <Notice
          bare
          level={1}
          icon={<IconLinkOff size="1.25em" aria-hidden />}
          title={t('chats.linkInvalid')}
          text={t(isNobody ? 'chats.linkInvalidSignIn' : 'chats.linkInvalidText')}
          action={
            <>
              {isNobody && <SignInLink />}{' '}
              <Link to="/" className={buttonClass('plain')}>
                {t('chats.toFront')}
              </Link>
            </>
          }
        />
      )}
    </div>
  );
}
