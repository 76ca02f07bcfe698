import { useMatches, useParams } from '@tanstack/react-router';
import { isId } from '../../contract/id-format.ts';
import { lastOrganization } from '../session/current-organization.ts';
import { sessionState } from '../session/session.ts';
import { useStore } from '../store.ts';

export interface Place {
  /** The organization whose pages are open, or were last; undefined for people who can't open any. */
  orgId: string | undefined;
  /** The agent whose pages are open. */
  agentId: string | undefined;
  isPlatform: boolean;
}

/** Where a command is issued. */
export function usePlace(): Place {
  const { orgId: shown, agentId } = useParams({ strict: false });
  const isPlatform = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.layout === 'app-view'),
  });
  const { user } = useStore(sessionState);
  const organization = shown ?? lastOrganization.get() ?? undefined;
  const orgId = user?.isMember && isId('organization', organization) ? organization : undefined;
  return { orgId, agentId: orgId && isId('agent', agentId) ? agentId : undefined, isPlatform };
}
