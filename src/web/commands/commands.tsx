import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback } from 'react';
import { may } from '../../contract/access.ts';
import { loadMessages } from '../messages/t.ts';
import { roleQuery } from '../queries/queries.ts';
import { queryClient } from '../queries/query-client.ts';
import { useStore } from '../store.ts';
import { whenOnline } from '../ui/when-online.ts';
import { opened } from './opened.ts';
import type { Act } from './shortcuts.ts';
import { usePlace } from './use-place.ts';
import { useShortcuts } from './use-shortcuts.ts';

// On first pages neither it nor its texts are loaded yet.
const Palette = lazy(async () => {
  const load = () => Promise.all([import('./palette.tsx'), loadMessages()]);
  const [{ Palette: component }] = await whenOnline(load);
  return { default: component };
});
const ShortcutList = lazy(async () => {
  const load = () => Promise.all([import('./shortcut-list.tsx'), loadMessages()]);
  const [{ ShortcutList: component }] = await whenOnline(load);
  return { default: component };
});

/** Listens for the shortcuts of every page, and shows what they open. */
export function Commands() {
  const shown = useStore(opened);
  useShortcuts(useAct());
  return (
    <Suspense>
      {shown === 'palette' && <Palette />}
      {shown === 'shortcuts' && <ShortcutList />}
    </Suspense>
  );
}

/** Runs a shortcut's action; one without meaning on the page does nothing. */
function useAct(): (act: Act) => void {
  const navigate = useNavigate();
  const { orgId, agentId } = usePlace();
  return useCallback(
    (act) => {
      if (act === 'palette' || act === 'shortcuts') return opened.set(act);
      if (act === 'search') return focusSearch();
      if (act === 'conversations') return void navigate({ to: '/chat/{-$id}', params: { id: undefined } });
      if (!orgId) return;
      if (act === 'agents') return void navigate({ to: '/platform/{-$orgId}/agent', params: { orgId } });
      if (act === 'create-agent')
        return void mayCreate(orgId).then((isAllowed) => {
          if (isAllowed) return navigate({ to: '/platform/{-$orgId}/agent/create', params: { orgId } });
        });
      if (agentId)
        void navigate({ to: `/platform/{-$orgId}/agent/$agentId/${act}`, params: { orgId, agentId } });
    },
    [navigate, orgId, agentId],
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus();
}

async function mayCreate(orgId: string): Promise<boolean> {
  return may(await queryClient.ensureQueryData(roleQuery(orgId)), 'agent.write');
}
