import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { ensureSignedIn, sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { PlainButton } from '../../ui/button.tsx';
import { Demo } from './demo.tsx';
import style from './front.module.css';
import './messages.ts';

/** The product in one line, an agent to talk to, and the way to one's own. */
export function FrontScreen() {
  const { user } = useStore(sessionState);
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: ensureSignedIn,
    onSuccess: () => navigate({ to: user?.isMember ? '/platform' : '/auth/register' }),
    meta: { failure: 'signIn' },
  });
  return (
    <div className={style['front']}>
      <div className={style['pitch']}>
        <h1 className={style['title']}>{t('front.title')}</h1>
        <p className={style['text']}>{t('front.text')}</p>
        <div>
          <PlainButton kind="primary" disabled={start.isPending} onClick={() => start.mutate()}>
            {user?.isMember ? t('front.open') : t('front.start')}
          </PlainButton>
        </div>
        <p className={style['note']}>{t('front.note')}</p>
      </div>
      <Demo />
    </div>
  );
}
