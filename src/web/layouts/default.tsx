import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { PersonMenu } from '../session/person-menu.tsx';
import { sessionState } from '../session/session.ts';
import { useStore } from '../store.ts';
import { MAIN_ID } from '../ui/skip-link.tsx';
import { Logo } from '../ui/logo.tsx';
import style from './default.module.css';

/** Pages outside the platform: the front page, signing in, errors. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  const { status, user } = useStore(sessionState);
  // A guest who only looks around may have an account elsewhere.
  const isNobodyYet = status !== 'loading' && (!user || (user.isAnonymous && !user.isMember));
  return (
    <div className={style['frame']}>
      <header className={style['header']}>
        <Link to="/" aria-label={t('product.name')}>
          <Logo />
        </Link>
        <nav className={style['links']} aria-label={t('nav.main')}>
          {user && (
            <Link to="/chat/{-$id}" params={{}}>
              {t('nav.conversations')}
            </Link>
          )}
          {user?.isMember && <Link to="/platform">{t('nav.agents')}</Link>}
          {isNobodyYet && <Link to="/auth">{t('nav.signIn')}</Link>}
          <PersonMenu short />
        </nav>
      </header>
      <main id={MAIN_ID} tabIndex={-1} className={style['main']}>
        {children}
      </main>
    </div>
  );
}
