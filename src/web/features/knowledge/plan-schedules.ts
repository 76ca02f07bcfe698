import { useQuery } from '@tanstack/react-query';
import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { resyncIntervals } from '../../../contract/plans.ts';
import { usageQuery } from '../../queries/billing-queries.ts';
import { useOrgId } from '../../routing/route-params.ts';

interface PlanSchedules {
  allowed: readonly KnowledgeSchedule[];
  /** Of what is new. */
  preset: KnowledgeSchedule;
}

const PRESET: KnowledgeSchedule = 'weekly';

/**
 * How often the plan lets an item be read again; undefined while that is read. Where it cannot be read nothing is held back, since the
 * server judges, and what is new is read again by hand, which every plan allows.
 */
export function usePlanSchedules(): PlanSchedules | undefined {
  const { data: usage, isPending } = useQuery(usageQuery(useOrgId()));
  if (isPending) return undefined;
  const most = usage?.plan?.resyncEvery ?? 'hourly';
  const allowed = resyncIntervals.slice(0, resyncIntervals.indexOf(most) + 1);
  return { allowed, preset: usage && allowed.includes(PRESET) ? PRESET : 'manual' };
}
