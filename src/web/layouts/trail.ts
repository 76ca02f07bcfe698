import { useQuery } from '@tanstack/react-query';
import { useMatches, useParams, useRouter, type AnyRouter } from '@tanstack/react-router';
import { titleOf } from '../features/knowledge/item-title.ts';
import { t } from '../messages/t.ts';
import { memberQuery, teamQuery } from '../queries/people-queries.ts';
import { agentQuery, knowledgeQuery, productQuery, testSetQuery, toolQuery } from '../queries/queries.ts';
import type { RouteData, Subject } from '../routing/route-data.ts';

/** One page on the way to another. */
export interface Step {
  /** Its route. */
  to: string;
  title: string;
}

/** Below it pages lie within pages; elsewhere an address that begins with another means nothing. */
const NESTED = '/platform/{-$orgId}/';

type Names = Readonly<Partial<Record<Subject, string>>>;
type RoutesByPath = Readonly<Record<string, { options: { staticData?: RouteData } }>>;

/**
 * The pages on the way to the one of a route, itself the last. An agent's pages begin with the agent: those of the
 * organization, which lead to it, are in the side bar.
 */
export function stepsTo(routes: RoutesByPath, path: string, names: Names): Step[] {
  const steps: Step[] = [];
  const parts = path.replace(/\/$/, '').split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const to = parts.slice(0, length).join('/');
    const { title, subject } = routes[to]?.options.staticData ?? {};
    if (!title || (length < parts.length && !to.startsWith(NESTED))) continue;
    if (subject === 'agent') steps.length = 0;
    steps.push({ to, title: (subject && names[subject]) ?? t(title) });
  }
  return steps;
}

/** The way to the page that is shown. */
export function useTrail(): Step[] {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const names = useNames();
  const router: AnyRouter = useRouter();
  return stepsTo(router.routesByPath, path, names);
}

/** What the window's title says of a page: first what is most particular. */
export function titleOfTrail(titles: readonly string[]): string {
  return titles.reduce((parent, title) => t('page.within', { title, parent }));
}

/** Of the things in the address. They are what the screens have read: nothing is asked for here. */
function useNames(): Names {
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
