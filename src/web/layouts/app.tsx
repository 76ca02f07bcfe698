import { IconHome, IconSchool, IconUser, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../messages/t.ts';
import { useStore } from '../store.ts';
import { scheme } from '../theme.ts';
import { MAIN_ID } from '../ui/skip-link.tsx';
import { Logo } from '../ui/logo.tsx';
import { MantineRoot } from '../ui/mantine-root.tsx';
import style from './app.module.css';

const bar = [
  { to: '/app/voicemail', icon: IconHome, title: 'app.voicemail' },
  { to: '/app/account', icon: IconUser, title: 'app.account' },
] as const;

const menu = [
  { to: '/app/learn', icon: IconSchool, title: 'app.learn' },
  { to: '/app/membership', icon: IconRosetteDiscountCheck, title: 'app.membership' },
] as const;

/** The voicemail variant: a bar at the side, on phones at the bottom, and a menu. */
export function AppLayout({ children }: { children: ReactNode }) {
  return (
    <MantineRoot scheme={useStore(scheme)}>
      <div className={style['frame']}>
        <header className={style['top']}>
          <Link to="/" className={style['home']} aria-label={t('product.name')}>
            <Logo />
          </Link>
          <nav className={style['menu']} aria-label={t('nav.menu')}>
            <Entries of={menu} />
          </nav>
        </header>
        <nav className={style['bar']} aria-label={t('nav.main')}>
          <Entries of={bar} />
        </nav>
        <main id={MAIN_ID} tabIndex={-1} className={style['main']}>
          <div className={style['content']}>{children}</div>
        </main>
      </div>
    </MantineRoot>
  );
}

function Entries({ of }: { of: typeof bar | typeof menu }) {
  return of.map(({ to, icon: Icon, title }) => (
    <Link key={to} to={to} className={style['entry']}>
      <Icon size="1.5em" aria-hidden />
      {t(title)}
    </Link>
  ));
}
