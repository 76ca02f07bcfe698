import { useQuery } from '@tanstack/react-query';
import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { resyncIntervals } from '../../../contract/plans.ts';
import { usageQuery } from '../../queries/billing-queries.ts';
import { useOrgId } from '../../routing/route-params.ts';

interface PlanSchedules {
  allowed: readonly KnowledgeSchedule[];
  /** For new items. */
  preset: KnowledgeSchedule;
}

const PRESET: KnowledgeSchedule = 'weekly';

/**
 * How often the plan lets an item be read again; undefined while that is loading. If it can't be loaded nothing is
 * disabled, since the server decides, and new items are read again manually, which every plan allows.
 */
export function usePlanSchedules(): PlanSchedules | undefined {
  const { data: usage, isPending } = useQuery(usageQuery(useOrgId()));
  if (isPending) return undefined;
  const most = usage?.plan?.resyncEvery ?? 'hourly';
  const allowed = resyncIntervals.slice(0, resyncIntervals.indexOf(most) + 1);
  return { allowed, preset: usage && allowed.includes(PRESET) ? PRESET : 'manual' };
}
