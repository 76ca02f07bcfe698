import { planNames, resyncIntervals, type Plan, type PlanType } from '../../../contract/plans.ts';
import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import { requireWithin } from '../../access/quota.ts';
import { AppError } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';

/** An organization's plan, as it affects knowledge. */

export interface KnownPlan {
  planType: PlanType;
  plan: Plan;
}

/** A text's size as counted by both plans and the database. */
export function textBytesOf(sources: { text?: string | null | undefined }[]): number {
  return sources.reduce((sum, { text }) => sum + Buffer.byteLength(text ?? ''), 0);
}

/** Errors: 402 for more addresses than are read, and, at the field, for a schedule more frequent than allowed. */
export function requireAllowed(
  config: Pick<Config, 'billing'>,
  known: KnownPlan | undefined,
  { links = [], schedule }: { links?: string[] | undefined; schedule?: KnowledgeSchedule | undefined },
): void {
  if (!known) return;
  requireWithin(config, known.planType, 'crawlPages', links.length);
  if (schedule === undefined || schedule === slower(schedule, known.plan.resyncEvery)) return;
  const message = `${inPlan(known)} ${resyncWords[known.plan.resyncEvery]}.`;
  throw new AppError('quota/exceeded', message, { errors: [{ path: 'schedule', message }] });
}

/** The less frequent of two schedules. */
export function slower(one: KnowledgeSchedule, other: KnowledgeSchedule): KnowledgeSchedule {
  const place = Math.min(resyncIntervals.indexOf(one), resyncIntervals.indexOf(other));
  return resyncIntervals[place] ?? 'manual';
}

/** The maximum number of a site's pages to read. */
export function pagesMax({ item, plan: known }: CrawlRules): number {
  return Math.min(item.site?.maxPages ?? Infinity, known?.plan.crawlPages ?? Infinity);
}

interface CrawlRules {
  item: { site: { maxPages: number } | null };
  plan: KnownPlan | undefined;
}

/** Why pages are left out; undefined if that was requested rather than caused by the plan. */
export function reasonOfCut({ item, plan: known }: CrawlRules): string | undefined {
  if (!known || known.plan.crawlPages >= (item.site?.maxPages ?? 0)) return undefined;
  return `${inPlan(known)} reads ${known.plan.crawlPages} pages per website, and this one has more. Leave some out or choose a larger plan, then re-sync it.`;
}

function inPlan({ planType }: KnownPlan): string {
  return `The ${planNames[planType]} plan`;
}

const resyncWords: Record<KnowledgeSchedule, string> = {
  manual: 're-syncs only manually',
  weekly: 're-syncs once a week at most',
  daily: 're-syncs once a day at most',
  hourly: 're-syncs once an hour at most',
};
