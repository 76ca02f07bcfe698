import { t } from '../../messages/t.ts';

/** A passage's position in its document: `Page 3 › Prices › Shipping`; empty if there is nothing to say. */
export function passagePlace({
  page,
  headingPath,
}: {
  page: number | null;
  headingPath: readonly string[];
}): string {
  const parts = page === null ? headingPath : [t('knowledge.page', { page }), ...headingPath];
  return parts.join(' › ');
}
