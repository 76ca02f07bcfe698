import { IconUserQuestion } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { sessionState, signOut } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass, PlainButton } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Signs out at once, except for guests: they could never get back to what they have made. */
export function SignOutScreen() {
  const { user, status } = useStore(sessionState);
  const [agreed, setAgreed] = useState(false);
  if (status === 'loading') return <Skeleton shape="row" />;
  if (user?.isAnonymous && !agreed) return <LastWarning onAgree={() => setAgreed(true)} />;
  return <SigningOut />;
}

function SigningOut() {
  const navigate = useNavigate();
  const { mutate, error } = useMutation({
    mutationFn: signOut,
    onSuccess: () => navigate({ to: '/', replace: true }),
    meta: { failure: 'signOut', quiet: true },
  });
  useEffect(() => mutate(), [mutate]);
  if (error) return <ErrorState message={describeError(error)} onRetry={() => mutate()} />;
  return <Skeleton shape="row" />;
}

function LastWarning({ onAgree }: { onAgree: () => void }) {
  return (
    <Notice
      bare
      level={1}
      icon={<IconUserQuestion size="1.25em" aria-hidden />}
      title={t('auth.guestLeaves')}
      text={t('auth.guestLeavesText')}
      action={
        <>
          <Link to="/auth" className={buttonClass('primary')}>
            {t('account.addEmail')}
          </Link>{' '}
          <PlainButton onClick={onAgree}>{t('auth.leaveAnyway')}</PlainButton>
        </>
      }
    />
  );
}
