import { Stack } from '@mantine/core';
import { IconMail, IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { providersQuery } from '../../queries/queries.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { pendingEmail } from '../../session/pending-email.ts';
import { useGoOnOnceSignedIn } from './after-sign-in.ts';

/** Shown after a sign-in link was sent. The link opens in another tab; this one continues as well. */
export function EmailConfirmationScreen() {
  const email = pendingEmail.get();
  useGoOnOnceSignedIn();
  const { data: ways, isPending } = useQuery(providersQuery());
  const minutes = SIGN_IN_LINK_LIFETIME_MINUTES;
  const otherEmail = (
    <Link to="/auth" className={buttonClass('plain')}>
      {t('auth.otherEmail')}
    </Link>
  );
  // First find out whether anything was sent.
  if (isPending) return <Skeleton shape="row" titled />;
  if (ways && ways.mail !== 'sent')
    return <NoMail isInInbox={ways.mail === 'inbox'} otherEmail={otherEmail} />;
  return (
    <Notice
      bare
      level={1}
      icon={<IconMail size="1.25em" aria-hidden />}
      title={t('auth.checkMail')}
      text={email ? t('auth.linkSentTo', { email, minutes }) : t('auth.linkSent', { minutes })}
      action={otherEmail}
    />
  );
}

/** Without a mail server nothing was sent: a person at the machine itself finds the link there. */
function NoMail({ isInInbox, otherEmail }: { isInInbox: boolean; otherEmail: ReactNode }) {
  return (
    <Notice
      bare
      level={1}
      icon={<IconMailOff size="1.25em" aria-hidden />}
      title={t('auth.notSent')}
      text={
        isInInbox ? t('auth.notSentInbox', { minutes: SIGN_IN_LINK_LIFETIME_MINUTES }) : t('auth.notSentText')
      }
      action={
        <Stack align="center">
          {isInInbox && (
            <a href="/dev/inbox" target="_blank" rel="noreferrer" className={buttonClass('primary')}>
              {t('auth.openInbox')}
            </a>
          )}
          {otherEmail}
        </Stack>
      }
    />
  );
}
