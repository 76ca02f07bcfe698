import './no-eval.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './ui/base.css';
import { startInstallOffer } from './commands/install.ts';
import { startChunkReload } from './chunk-reload.ts';
import { reportError, startErrorReports } from './log.ts';
import { t } from './messages/t.ts';
import { online, startOnline } from './online.ts';
import { queryClient } from './queries/query-client.ts';
import { router } from './router.tsx';
import { rememberPage } from './session/return-to.ts';
import { startServiceWorker } from './service-worker.ts';
import { refreshSession, sessionsLost, sessionState } from './session/session.ts';
import { startTheme } from './theme.ts';
import { toast } from './toast.ts';
import { whenOnline } from './ui/when-online.ts';

startChunkReload(t('error.codeMissing'));
startErrorReports();
startOnline();
startTheme();
startServiceWorker();
startInstallOffer();

// So that focus is never lost; before the first key or click there is none to lose.
for (const press of ['keydown', 'pointerdown'])
  addEventListener(
    press,
    (event) => void whenOnline(() => import('./ui/keep-focus.ts')).then((m) => m.keepFocus(event)),
    { once: true },
  );

// Pages that need no sign-in are shown meanwhile; the guards wait for the response.
void refreshSession().catch(() => undefined);

let uid: string | null | undefined;
sessionState.subscribe(() => {
  const { status, user } = sessionState.get();
  if (status === 'loading' || status === 'unreachable') return;
  const before = uid;
  uid = user?.uid ?? null;
  if (before === undefined || before === uid) return;
  // Nothing one person loaded is shown to the next; and a page that needs a sign-in is left.
  if (before !== null) queryClient.clear();
  void router.invalidate();
});

// A page that needs a sign-in requests it itself; on any other page the person can stay.
sessionsLost.subscribe(() => {
  const signIn = () => {
    rememberPage(router.state.location.href);
    void router.navigate({ to: '/auth' });
  };
  const action = needsSignIn() ? {} : { action: { text: t('nav.signIn'), run: signIn } };
  toast.error({ title: t('session.lost'), message: t('session.lostText'), ...action });
});

function needsSignIn(): boolean {
  const guards = router.state.matches.flatMap(({ staticData }) => staticData.guards ?? []);
  return guards.includes('is-auth') || guards.includes('is-signed-in');
}

online.subscribe(() => {
  if (online.get() && sessionState.get().status === 'unreachable') void router.invalidate();
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

createRoot(root, {
  onUncaughtError: (error) => reportError(error),
  onCaughtError: (error) => reportError(error),
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
