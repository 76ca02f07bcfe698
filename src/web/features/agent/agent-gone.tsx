import { hashKey, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../../messages/t.ts';
import { agentQuery } from '../../queries/queries.ts';
import { isNotFound } from '../../queries/query-props.ts';
import { Callout } from '../../ui/callout.tsx';
import style from './agent-frame.module.css';

/** Checks whether the agent still exists as soon as a request on its page is answered with not found. */
export function useGoneWatch(orgId: string, agentId: string): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const { queryKey } = agentQuery(orgId, agentId);
    const look = (error: unknown) => {
      if (isNotFound(error)) void queryClient.invalidateQueries({ queryKey, exact: true });
    };
    const stops = [
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
      }),
      queryClient.getQueryCache().subscribe((event) => {
        const isItself = event.query.queryHash === hashKey(queryKey);
        if (event.type === 'updated' && event.action.type === 'error' && !isItself) look(event.action.error);
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [orgId, agentId, queryClient]);
}

/** Shown above unsaved input when the agent is gone, so that it can be copied. */
export function AgentGone({ orgId }: { orgId: string }) {
  return (
    <div className={style['gone']}>
      <Callout tone="bad">
        <span>
          {t('agent.gone')}{' '}
          <Link to="/platform/{-$orgId}/agent" params={{ orgId }}>
            {t('agent.goneTo')}
          </Link>
        </span>
      </Callout>
    </div>
  );
}
