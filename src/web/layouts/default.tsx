import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { sessionState } from '../session.ts';
import { useStore } from '../store.ts';
import { MAIN_ID } from '../ui/skip-link.tsx';
import { Logo } from '../ui/logo.tsx';
import style from './default.module.css';

/** Pages outside of the platform: the front page, signing in, errors. */
export function DefaultLayout({ children }: { children: ReactNode }) {
  const { status, user } = useStore(sessionState);
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
          {status !== 'loading' && !user?.isMember && <Link to="/auth">{t('nav.signIn')}</Link>}
        </nav>
      </header>
      <main id={MAIN_ID} tabIndex={-1} className={style['main']}>
        {children}
      </main>
    </div>
  );
}
