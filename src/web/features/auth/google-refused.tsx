import { IconUserX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../../../contract/client.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

interface GoogleRefusedProps {
  error: Error | null;
  /** The person declined at Google. */
  cancelled: boolean;
}

/** Why the sign-in with Google did not complete, and what can be done. */
export function GoogleRefused({ error, cancelled }: GoogleRefusedProps) {
  const { user } = useStore(sessionState);
  const exists = error instanceof ApiError && error.code === 'auth/account-exists';
  const isMember = user?.isMember === true;
  return (
    <Notice
      bare
      level={1}
      role="alert"
      icon={<IconUserX size="1.25em" aria-hidden />}
      title={exists ? describeError(error) : t('auth.googleFailed')}
      text={textOf(error, { exists, cancelled })}
      action={
        <>
          {exists && (
            <Link to="/auth/signout" preload={false} className={buttonClass('primary')}>
              {t('nav.signOut')}
            </Link>
          )}{' '}
          <Link to={isMember ? '/platform' : '/auth'} className={buttonClass(exists ? 'plain' : 'primary')}>
            {isMember ? t('auth.begin') : t('auth.otherWay')}
          </Link>
        </>
      }
    />
  );
}

function textOf(error: Error | null, { exists, cancelled }: { exists: boolean; cancelled: boolean }): string {
  if (exists) return t('auth.accountExistsText');
  if (cancelled) return t('auth.googleCancelled');
  return error ? describeError(error) : t('auth.googleNoAnswer');
}
