import { IconMessages } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import style from './chat.module.css';
import { SignInLink } from './sign-in-link.tsx';

export function NoConversation() {
  const { status } = useStore(sessionState);
  const isSignedOut = status === 'signed-out';
  return (
    <div className={style['centre']}>
      <Notice
        bare
        level={1}
        icon={<IconMessages size="1.25em" aria-hidden />}
        title={t(isSignedOut ? 'chats.chooseSignIn' : 'chats.choose')}
        text={t(isSignedOut ? 'chats.chooseSignInText' : 'chats.chooseText')}
        action={
          <>
            {isSignedOut && <SignInLink />}
            <Link to="/" className={buttonClass('plain')}>
              {t('chats.toFront')}
            </Link>
          </>
        }
      />
    </div>
  );
}
