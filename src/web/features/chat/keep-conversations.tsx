import { useLocation } from '@tanstack/react-router';
import { GoogleButton } from '../../session/google-button.tsx';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import style from './chat.module.css';
import { SignInLink } from './sign-in-link.tsx';

/** For guests, and for who is nobody yet: a way to sign in that leaves the conversation open. */
export function KeepConversations() {
  const { user, status } = useStore(sessionState);
  const path = useLocation({ select: ({ pathname }) => pathname });
  if (status !== 'signed-out' && !user?.isAnonymous) return null;
  return (
    <div className={style['keep']}>
      <p>{t(user ? 'auth.keep' : 'auth.find')}</p>
      <GoogleButton popup returnTo={path} />
      <SignInLink />
    </div>
  );
}
