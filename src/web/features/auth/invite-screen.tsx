import { IconMailOff } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { ensureSignedIn, sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { InviteCard } from './invite-card.tsx';

/** The target of an invitation link. Loading it takes a session, so a visitor becomes a guest without being asked. */
export function InviteScreen() {
  const { token } = useSearch({ from: '/auth/invite' });
  const { user, status } = useStore(sessionState);
  const { mutate: enter, error: enterError } = useMutation({
    mutationFn: ensureSignedIn,
    meta: { failure: 'signIn', quiet: true },
  });
  useEffect(() => {
    if (token && status === 'signed-out') enter();
  }, [enter, status, token]);
  const uid = user?.uid ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ['received-invite', token, uid],
    queryFn: async ({ signal }) => (await api.member.getInvite({ token }, { signal })).invite,
    enabled: token !== '' && uid !== null,
    retry: false,
    meta: { failure: 'getInvite', quiet: true },
  });
  if (!token) return <InviteOver title={t('invite.invalid')} />;
  const failure = enterError ?? error;
  if (failure && isFinal(failure)) return <InviteOver title={titleOf(failure)} />;
  if (failure) return <ErrorState bare message={describeError(failure)} onRetry={() => void refetch()} />;
  if (!data || !user) return <Skeleton shape="row" titled />;
  return <InviteCard invite={data} token={token} user={user} />;
}

/** Retrying would change nothing. */
function isFinal(error: Error): boolean {
  return error instanceof ApiError && [400, 404, 410].includes(error.status);
}

/** Used, expired and withdrawn invitations say so; any other link is unknown. */
function titleOf(error: Error): string {
  return error instanceof ApiError && error.status === 410 ? describeError(error) : t('invite.invalid');
}

function InviteOver({ title }: { title: string }) {
  return (
    <Notice
      bare
      level={1}
      role="alert"
      icon={<IconMailOff size="1.25em" aria-hidden />}
      title={title}
      text={t('invite.askAnew')}
      action={
        <Link to="/" className={buttonClass('plain')}>
          {t('error.home')}
        </Link>
      }
    />
  );
}
