import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgentId, useOrgId } from '../../routing/route-params.ts';
import type { Place } from './place.ts';

interface ItemLinkProps {
  knowledgeId: string;
  place?: Place;
  className?: string | undefined;
  onClick?: () => void;
  children: ReactNode;
}

/** Links to an item, or to a place in it. */
export function ItemLink({ knowledgeId, place = {}, className, onClick, children }: ItemLinkProps) {
  return (
    <Link
      to="/platform/{-$orgId}/agent/$agentId/knowledge/$knowledgeId"
      params={{ orgId: useOrgId(), agentId: useAgentId(), knowledgeId }}
      search={place}
      className={className}
      onClick={onClick}
    >
      {children}
    </Link>
  );
}
