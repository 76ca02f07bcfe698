import { IconMessageOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../query-client.ts';
import { rememberPage } from '../../return-to.ts';
import { sessionState } from '../../session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import style from './chat.module.css';

interface PaneProps<T> {
  query: UseQueryResult<T>;
  /** What is looked for. */
  of: 'agent' | 'conversation';
  children: (data: T) => ReactNode;
}

/** The side where one talks, or why one cannot. */
export function Pane<T>({ query, of, children }: PaneProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return (
    <div className={style['centre']}>
      {query.error ? (
        <Failure of={of} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton shape="line" />
      )}
    </div>
  );
}

const words = {
  agent: ['chats.agentNotFound', 'chats.agentNotFoundText'],
  conversation: ['chats.notFound', 'chats.notFoundText'],
} as const;

interface FailureProps extends Pick<PaneProps<unknown>, 'of'> {
  error: Error;
  onRetry: () => void;
}

function Failure({ of, error, onRetry }: FailureProps) {
  const { user } = useStore(sessionState);
  const page = useLocation({ select: ({ href }) => href });
  const isClosed = error instanceof ApiError && [401, 403, 404].includes(error.status);
  if (!isClosed) return <ErrorState bare message={describeError(error)} onRetry={onRetry} />;
  const [title, text] = words[of];
  return (
    <Notice
      bare
      level={1}
      icon={<IconMessageOff size="1.25em" aria-hidden />}
      title={t(title)}
      text={t(user ? text : 'chats.notFoundSignIn')}
      action={
        !user && (
          <Link to="/auth" className={buttonClass('plain')} onClick={() => rememberPage(page)}>
            {t('nav.signIn')}
          </Link>
        )
      }
    />
  );
}
