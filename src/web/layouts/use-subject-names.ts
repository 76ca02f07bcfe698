import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { titleOf } from '../features/knowledge/item-title.ts';
import { t } from '../messages/t.ts';
import { knowledgeQuery, productQuery, testSetQuery, toolQuery } from '../queries/agent-queries.ts';
import { memberQuery, teamQuery } from '../queries/people-queries.ts';
import { agentQuery } from '../queries/queries.ts';
import { subjectNames, type SubjectNames } from '../routing/subject-names.ts';

/** Sets the names of the things in the address before any of the page is painted. */
export function useSubjectNames(): void {
  const names = useNames();
  const said = JSON.stringify(names);
  useLayoutEffect(() => subjectNames.set(JSON.parse(said) as SubjectNames), [said]);
  useLayoutEffect(() => () => subjectNames.set({}), []);
}

/** The names come from data the screens have loaded: this requests nothing. */
function useNames(): SubjectNames {
  const {
    orgId = '',
    agentId = '',
    knowledgeId = '',
    memberId = '',
    pricingPlanId = '',
    teamId = '',
    testSetId = '',
    toolId = '',
    number,
  } = useParams({ strict: false });
  const { data: agent } = useQuery({ ...agentQuery(orgId, agentId), enabled: false });
  const { data: knowledge } = useQuery({ ...knowledgeQuery(agentId, knowledgeId), enabled: false });
  const { data: member } = useQuery({ ...memberQuery(orgId, memberId), enabled: false });
  const { data: team } = useQuery({ ...teamQuery(orgId, teamId), enabled: false });
  const testSet = useQuery({
    ...testSetQuery({ id: agentId, organizationId: orgId, testSetId }),
    enabled: false,
  }).data?.testSet;
  const tool = useQuery({ ...toolQuery(agentId, toolId), enabled: false }).data?.tool;
  const { data: product } = useQuery({ ...productQuery(agentId, pricingPlanId), enabled: false });
  return {
    ...(product && { product: product.detailsConfig.name }),
    ...(tool && { tool: tool.name }),
    ...(testSet && { testSet: testSet.name }),
    ...(number !== undefined && { version: t('versions.number', { number }) }),
    ...(agent && { agent: agent.name }),
    ...(knowledge && { knowledge: titleOf(knowledge) }),
    ...(member && { member: member.name }),
    ...(team && { team: team.name }),
  };
}
