import { IconMessageOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { isNotFound } from '../../queries/query-props.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import style from './chat.module.css';
import { SignInLink } from './sign-in-link.tsx';

interface PaneProps<T> {
  query: UseQueryResult<T>;
  /** What is being looked up. */
  of: 'agent' | 'conversation';
  children: (data: T) => ReactNode;
}

/** The main pane with the conversation, or why there is none. */
export function Pane<T>({ query, of, children }: PaneProps<T>) {
  // Something deleted meanwhile, perhaps in another tab, is closed; a failed reload leaves it open.
  const isGone = query.data !== undefined && isNotFound(query.error);
  if (query.data !== undefined && !isGone) return children(query.data);
  return (
    <div className={style['centre']}>
      {query.error ? (
        <Failure of={isGone ? 'gone' : of} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton shape="line" />
      )}
    </div>
  );
}

const words = {
  agent: ['chats.agentNotFound', 'chats.agentNotFoundText'],
  conversation: ['chats.notFound', 'chats.notFoundText'],
  gone: ['chats.gone', 'chats.goneText'],
} as const;

interface FailureProps {
  of: keyof typeof words;
  error: Error;
  onRetry: () => void;
}

function Failure({ of, error, onRetry }: FailureProps) {
  const { user } = useStore(sessionState);
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
      action={!user && <SignInLink />}
    />
  );
}
