import { useParams } from '@tanstack/react-router';

function useParameter(name: 'orgId' | 'agentId' | 'knowledgeId' | 'memberId' | 'teamId'): string {
  const value = useParams({ strict: false })[name];
  if (value === undefined) throw new Error(`This page has no ${name}.`);
  return value;
}

/** The page's organization; the guard `organization-redirect` has put it into the address. */
export const useOrgId = () => useParameter('orgId');
export const useAgentId = () => useParameter('agentId');
export const useKnowledgeId = () => useParameter('knowledgeId');
export const useMemberId = () => useParameter('memberId');
export const useTeamId = () => useParameter('teamId');
