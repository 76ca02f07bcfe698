import { Drawer } from '@mantine/core';
import { IconMenu2 } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { opened } from '../commands/opened.ts';
import { t } from '../messages/t.ts';
import { useStore } from '../store.ts';
import { scheme } from '../theme.ts';
import { later } from '../ui/later.ts';
import { MAIN_ID } from '../ui/skip-link.tsx';
import { Logo } from '../ui/logo.tsx';
import { MantineRoot } from '../ui/mantine-root.tsx';
import { useAccessWatch } from '../session/use-access-watch.ts';
import { useOver } from '../routing/use-over.ts';
import style from './app-view.module.css';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { PlanBanner } from './plan-banner.tsx';
import { SearchOpener } from './search-opener.tsx';
import { SideBar } from './side-bar.tsx';
import { useSubjectNames } from './use-subject-names.ts';

const NewOrganization = later(async () => (await import('./new-organization.tsx')).NewOrganization);

/** The platform: a sidebar, on phones a sheet opened by a button in the top bar. */
export function AppViewLayout({ children }: { children: ReactNode }) {
  const { orgId } = useParams({ strict: false });
  useAccessWatch(orgId);
  useSubjectNames();
  const menu = useOver('menu');
  return (
    <MantineRoot scheme={useStore(scheme)}>
      <div className={style['frame']}>
        <div className={style['side']}>
          <SideBar />
        </div>
        <nav className={style['top']} aria-label={t('nav.menu')}>
          <button type="button" className={style['menu']} aria-label={t('nav.menu')} onClick={menu.open}>
            <IconMenu2 size="1.5em" aria-hidden />
          </button>
          <Logo />
          <SearchOpener kind="icon" />
        </nav>
        <main id={MAIN_ID} tabIndex={-1} className={style['main']}>
          <div className={style['content']}>
            <Breadcrumbs />
            {orgId !== undefined && <PlanBanner orgId={orgId} />}
            {children}
          </div>
        </main>
      </div>
      <Suspense>
        {useStore(opened) === 'new-organization' && <NewOrganization onClose={() => opened.set(null)} />}
      </Suspense>
      <Drawer.Root opened={menu.opened} onClose={menu.close} size="var(--bar-sheet)">
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('nav.menu')}>
          <Drawer.Body className={style['sheet'] ?? ''}>
            <SideBar />
          </Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </MantineRoot>
  );
}
