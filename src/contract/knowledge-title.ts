import { shortText } from './cut-text.ts';
import type { Knowledge } from './knowledge.ts';

const TITLE_MAX_CHARACTERS = 120;

type Titled = Pick<Knowledge, 'description' | 'links'> & {
  /** Absent in lists. */
  text?: string | null;
  files: readonly Pick<Knowledge['files'][number], 'name'>[];
};

/** An item's display title: its description, or what it consists of. */
export function titleOfKnowledge({ description, text, files, links }: Titled): string {
  const [firstLine = ''] = (description || text || '').trim().split('\n');
  return shortText(firstLine, TITLE_MAX_CHARACTERS) || files[0]?.name || links[0] || '';
}
