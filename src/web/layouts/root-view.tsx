import { CatchNotFound, isNotFound, Outlet, useMatches } from '@tanstack/react-router';
import { memo, Suspense, useEffect } from 'react';
import { TOAST_MS } from '../../contract/limits.ts';
import { useCommandsAsked } from '../commands/first-key.ts';
import { t } from '../messages/t.ts';
import { online } from '../online.ts';
import { pageMissing } from '../routing/page-missing.ts';
import { pageName } from '../routing/page-name.ts';
import { requestsUnderWay } from '../api/progress.ts';
import type { LayoutName } from '../routing/route-data.ts';
import { sessionState } from '../session/session.ts';
import { useStore } from '../store.ts';
import { toast, toasts } from '../toast.ts';
import { titleOfTrail, useTrail } from './trail.ts';
import { Hidden } from '../ui/hidden.tsx';
import { OfflineBar } from '../ui/offline-bar.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { SkipLink } from '../ui/skip-link.tsx';
import { ToastList } from '../ui/toast-list.tsx';
import { ChatbotLayout } from './chatbot.tsx';
import { DefaultLayout } from './default.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { later } from '../ui/later.ts';

const Commands = later(async () => (await import('../commands/commands.tsx')).Commands);

const layouts = {
  default: DefaultLayout,
  chatbot: ChatbotLayout,
  'app-view': later(async () => (await import('./app-view.tsx')).AppViewLayout),
  app: later(async () => (await import('./app.tsx')).AppLayout),
} satisfies Record<LayoutName, unknown>;

/** The shell of every page: its layout, as named by its route, and the elements that float above it. */
export function RootView() {
  const Layout = layouts[useLayoutName()];
  const pageTitle = useTitle();
  useEffect(() => {
    document.title = pageTitle;
  }, [pageTitle]);
  return (
    <>
      <SkipLink />
      <ProgressBar active={useStore(requestsUnderWay) > 0} />
      {!useStore(online) && <OfflineBar />}
      <Suspense>
        <Layout>
          <Page />
        </Layout>
      </Suspense>
      <div aria-live="polite">
        <Hidden>{pageTitle}</Hidden>
      </div>
      <Suspense>{useCommandsAsked() && <Commands />}</Suspense>
      <ToastList toasts={useStore(toasts)} lastsMs={TOAST_MS} onDismiss={toast.dismiss} />
    </>
  );
}

/** The platform's layout is for members: an invalid address under it gets the not-found page in the public layout. */
function useLayoutName(): LayoutName {
  const routes = useMatches({ select: (matches) => matches.map((match) => match.staticData) });
  const isRefused = useMatches({ select: ([root]) => isNotFound(root?.error) });
  const { user } = useStore(sessionState);
  const name = routes.findLast((route) => route.layout)?.layout ?? 'default';
  return name === 'app-view' && isRefused && !user?.isMember ? 'default' : name;
}

/**
 * Catches a page that learns only during rendering that its subject doesn't exist: the router itself handles what a
 * guard finds. Rerendered only when the location changes, since each rerender restarts the page's placeholder.
 */
const Page = memo(function Page() {
  return (
    <CatchNotFound fallback={missing}>
      <Outlet />
    </CatchNotFound>
  );
});

const missing = () => <NotFoundPage />;

/** From the most specific to the product's name. */
function useTitle(): string {
  const trail = useTrail();
  const name = useStore(pageName);
  const isMissing = useStore(pageMissing);
  if (isMissing) return t('page.title', { title: t('error.notFound') });
  const titles = [...trail.map(({ title }) => title), ...(name === null ? [] : [name])];
  return titles.length > 0 ? t('page.title', { title: titleOfTrail(titles) }) : t('product.name');
}
