import { useQuery } from '@tanstack/react-query';
import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { resyncIntervals } from '../../../contract/plans.ts';
import { t } from '../../messages/t.ts';
import { usageQuery } from '../../queries/billing-queries.ts';
import { useOrgId } from '../../routing/route-params.ts';

interface PlanSchedules {
  allowed: readonly KnowledgeSchedule[];
  /** False: the schedules of items have no effect until the plan is changed. */
  isReread: boolean;
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
  const preset = usage && allowed.includes(PRESET) ? PRESET : 'manual';
  return { allowed, isReread: most !== 'manual', preset };
}

/** A schedule's name, marked if the plan lacks it: after a smaller plan was chosen, items keep theirs. */
export function nameOfSchedule(value: KnowledgeSchedule, schedules: PlanSchedules | undefined): string {
  const name = t(`knowledge.schedule.${value}`);
  return schedules?.allowed.includes(value) === false ? t('knowledge.schedule.larger', { name }) : name;
}
