import type { KnowledgeSchedule } from '../../../contract/knowledge.ts';
import type { StoredKnowledge } from './store.ts';

const HOUR_MS = 3_600_000;
const intervalMs: Record<Exclude<KnowledgeSchedule, 'manual'>, number> = {
  hourly: HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
};

/** Only external content can change at its origin. */
export function canResync({ type, links }: Pick<StoredKnowledge, 'type' | 'links'>): boolean {
  return (type === 'website' || type === 'product') && links.length > 0;
}

/** When the item is next due to be reread automatically; null: never. */
export function nextSyncOf(
  item: Pick<StoredKnowledge, 'type' | 'links' | 'schedule'>,
  now = Date.now(),
): Date | null {
  if (item.schedule === 'manual' || !canResync(item)) return null;
  return new Date(now + intervalMs[item.schedule]);
}
