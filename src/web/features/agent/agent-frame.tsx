import { useQuery } from '@tanstack/react-query';
import { notFound, Outlet, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { agentQuery } from '../../queries/queries.ts';
import { isNotFound, viewOf } from '../../queries/query-props.ts';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import style from './agent-frame.module.css';
import { AgentGone, useGoneWatch } from './agent-gone.tsx';
import { TestPlace } from './test-place.tsx';

/** Pages that change what the agent answers: it can be tried there. */
const TRIED = /agentId-(home$|knowledge|settings-(instructions|model|profile)$)/;
/** Pages that create a draft, or show what became of it. */
const DRAFTED = /agentId-(home$|settings)/;

/** `bar` is shown above the pages that create a draft. */
export function AgentFrame({ bar }: { bar: ReactNode }) {
  const orgId = useOrgId();
  const agentId = useAgentId();
  const agent = useQuery(agentQuery(orgId, agentId));
  const name = useMatches({ select: (matches) => matches.at(-1)?.staticData.name ?? '' });
  useGoneWatch(orgId, agentId);
  const { data, error, onRetry } = viewOf(agent);
  const isGone = isNotFound(agent.error);
  const shownBar = isGone ? <AgentGone orgId={orgId} /> : DRAFTED.test(name) && bar;
  // An agent that was loaded before stays: a page doesn't lose unsaved input because a later load failed or found
  // nothing.
  if (isGone && data === undefined) throw notFound();
  if (error !== null && data === undefined) return <ErrorState message={error} onRetry={onRetry} />;
  if (!TRIED.test(name))
    return (
      <>
        {shownBar}
        <Outlet />
      </>
    );
  return (
    <div className={style['frame']}>
      <div className={style['page']}>
        {shownBar}
        <Outlet />
      </div>
      <TestPlace agent={data} />
    </div>
  );
}
