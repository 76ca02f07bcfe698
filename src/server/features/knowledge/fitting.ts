import type { KnowledgeSchedule, SiteSettings } from '../../../contract/knowledge.ts';
import { invalidField } from '../../app-error.ts';
import type { StoredKnowledge } from './store.ts';

/** What an item is given to read, and how to read it. */
interface Parts {
  text?: string | undefined;
  links?: string[] | undefined;
  files?: string[] | undefined;
  site?: SiteSettings | undefined;
  schedule?: KnowledgeSchedule | undefined;
}

/** Nothing given is silently ignored. Errors: 400 for a part that an item of this type doesn't have. */
export function requireFitting(item: Pick<StoredKnowledge, 'type' | 'links'>, given: Parts): void {
  const { type } = item;
  const hasLinks = type === 'website' || (type === 'product' && item.links.length > 0);
  if (given.text && type !== 'text' && type !== 'qa')
    throw invalidField('text', 'This item has no text of its own.');
  if (given.links?.length && !hasLinks) throw invalidField('links', 'This item has no addresses.');
  if (given.files?.length && type !== 'file') throw invalidField('files', 'This item has no files.');
  if (given.site && type !== 'website') throw invalidField('site', 'This item is not a website.');
  if (given.schedule && given.schedule !== 'manual' && !hasLinks)
    throw invalidField('schedule', 'Only items read from addresses can be re-synced.');
}
