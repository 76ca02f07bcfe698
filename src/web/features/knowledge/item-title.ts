import { titleOfKnowledge } from '../../../contract/knowledge-title.ts';
import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';

export const titleOf = (item: ListedKnowledge): string => titleOfKnowledge(item) || t('knowledge.untitled');
