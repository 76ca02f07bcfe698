import { createRouter } from '@tanstack/react-router';
import { ErrorPage } from './layouts/error-page.tsx';
import { NotFoundPage } from './layouts/not-found-page.tsx';
import { PendingPage } from './layouts/pending-page.tsx';
import { routeTree } from './route-tree.gen.ts';
import './route-data.ts';

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 300,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
