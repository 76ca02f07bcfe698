import { createBrowserHistory, createRouter } from '@tanstack/react-router';
import { ErrorPage } from './layouts/error-page.tsx';
import { NotFoundPage } from './layouts/not-found-page.tsx';
import { PendingPage } from './layouts/pending-page.tsx';
import { routeTree } from './route-tree.gen.ts';
import { keepPlace } from './routing/kept-place.ts';
import './routing/route-data.ts';

const history = createBrowserHistory();
const { push } = history;
/**
 * Navigating from an overlay to another page replaces its history entry (`useBack`), so that Back finds no entry with
 * nothing open.
 */
history.push = (path, ...rest) => {
  const { pathname, state } = history.location;
  const isElsewhere = path.split(/[?#]/, 1)[0] !== pathname;
  return (isElsewhere && state.steps ? history.replace : push)(path, ...rest);
};

export const router = createRouter({
  history,
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 300,
});
keepPlace(router);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
