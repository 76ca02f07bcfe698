import { t } from '../../messages/t.ts';

/** Where in its document a passage stands: `Page 3 › Prices › Shipping`; empty when there is nothing to say. */
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
