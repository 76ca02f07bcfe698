import { titleOfKnowledge } from '../../../contract/knowledge-title.ts';
import type { Knowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';

export const titleOf = (item: Knowledge): string => titleOfKnowledge(item) || t('knowledge.untitled');
