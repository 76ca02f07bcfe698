import { cutText } from '../../../contract/cut-text.ts';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';

/** What an item is called: its description, or what it is made of. */
export function titleOf({ description, files, links, text }: Knowledge): string {
  const [firstLine = ''] = (description || text || '').trim().split('\n');
  return cutText(firstLine, 120) || files[0]?.name || links[0] || t('knowledge.untitled');
}
