import { IconMail } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { SIGN_IN_LINK_LIFETIME_MINUTES } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { pendingEmail } from '../../pending-email.ts';
import { useGoOnOnceSignedIn } from './after-sign-in.ts';

/** After a sign-in link has been sent. It opens in another tab; this one goes on as well. */
export function EmailConfirmationScreen() {
  const email = pendingEmail.get();
  useGoOnOnceSignedIn();
  const minutes = SIGN_IN_LINK_LIFETIME_MINUTES;
  return (
    <Notice
      bare
      level={1}
      icon={<IconMail size="1.25em" aria-hidden />}
      title={t('auth.checkMail')}
      text={email ? t('auth.linkSentTo', { email, minutes }) : t('auth.linkSent', { minutes })}
      action={
        <Link to="/auth" className={buttonClass('plain')}>
          {t('auth.otherEmail')}
        </Link>
      }
    />
  );
}
