import { createRootRoute } from '@tanstack/react-router';
import { admit } from '../session/guards.ts';
import { RootErrorPage } from '../layouts/error-page.tsx';
import { RootView } from '../layouts/root-view.tsx';
import { loadMessages } from '../messages/t.ts';

export const Route = createRootRoute({
  beforeLoad: async ({ matches, location, preload }) => {
    const leaf = matches.at(-1);
    if (!leaf?.staticData.isFirst) await loadMessages();
    const routes = matches.map((match) => match.staticData);
    return admit(routes, {
      href: location.href,
      params: (leaf?.params ?? {}) as Record<string, string>,
      preload,
    });
  },
  // The boot indicator (`.boot`) stays until there is a page.
  pendingComponent: () => null,
  component: RootView,
  errorComponent: RootErrorPage,
});
