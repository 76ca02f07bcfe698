import { shortText } from './cut-text.ts';
import type { Knowledge } from './knowledge.ts';

const TITLE_MAX_CHARACTERS = 120;

type Titled = Pick<Knowledge, 'description' | 'links'> & {
  /** Lists have none. */
  text?: string | null;
  files: readonly Pick<Knowledge['files'][number], 'name'>[];
};

/** What an item is called: its description, or what it is made of. */
export function titleOfKnowledge({ description, text, files, links }: Titled): string {
  const [firstLine = ''] = (description || text || '').trim().split('\n');
  return shortText(firstLine, TITLE_MAX_CHARACTERS) || files[0]?.name || links[0] || '';
}
