import { Link, useLocation } from '@tanstack/react-router';
import { GoogleButton } from '../../google-button.tsx';
import { t } from '../../messages/t.ts';
import { rememberPage } from '../../return-to.ts';
import { sessionState } from '../../session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import style from './chat.module.css';

/** For guests: a way to sign in that leaves the conversation open. */
export function KeepConversations() {
  const { user } = useStore(sessionState);
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (!user?.isAnonymous) return null;
  return (
    <div className={style['keep']}>
      <p>{t('auth.keep')}</p>
      <GoogleButton popup returnTo={path} />
      <Link to="/auth" className={buttonClass('plain')} onClick={() => rememberPage(path)}>
        {t('nav.signIn')}
      </Link>
    </div>
  );
}
