import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { cutText, shortText } from '../../../contract/cut-text.ts';
import { SiteSettings, type NewKnowledge } from '../../../contract/knowledge.ts';
import type { ProductCard } from '../../../contract/source.ts';
import { invalidField } from '../../app-error.ts';
import type { StoredFile } from '../file/store.ts';
import { withOurLines } from './read/plain.ts';
import type { NewSource } from './source-store.ts';
import type { StoredKnowledge } from './store.ts';

type Input = z.infer<typeof NewKnowledge>;
type TextItem = Pick<StoredKnowledge, 'type' | 'description' | 'text'>;

const TITLE_CHARACTERS = 120;

/** The title of a text without its own: its first line. */
function titleOfText(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return shortText(line.replace(/^#+\s*/, '').trim(), TITLE_CHARACTERS);
}

/** Which pages of an item's links are read: as requested, or else the linked pages themselves. */
export function siteOf({ type, links, site }: Pick<Input, 'type' | 'links' | 'site'>): SiteSettings | null {
  if (type === 'website') return site ?? SiteSettings.parse({});
  // A shop's pages are chosen individually: what they link to isn't necessarily for sale.
  return type === 'product' && links.length > 0 ? SiteSettings.parse({}) : null;
}

/** A new item's sources. Errors: 400 if the part required by its type is missing. */
export function newSources(input: Input, files: StoredFile[]): NewSource[] {
  switch (input.type) {
    case 'text':
    case 'qa':
      return [textSource({ ...input, text: input.text ?? null })];
    case 'file':
      if (files.length === 0) throw invalidField('files', 'A file is required.');
      return fileSources(files);
    case 'website':
      if (input.links.length === 0) throw invalidField('links', 'An address is required.');
      return input.site?.mode === 'sitemap' ? [] : linkSources('page', input.links);
    case 'product': {
      const described = input.description.trim() === '' ? [] : [productSource(input.description)];
      if (described.length + input.links.length === 0)
        throw invalidField('links', 'An address or a description is required.');
      return [...linkSources('product', input.links), ...described];
    }
  }
}

export function fileSources(files: StoredFile[]): NewSource[] {
  return files.map(({ id, name }) => ({ kind: 'file', title: name, fileId: id }));
}

export function linkSources(kind: 'page' | 'product', links: string[]): NewSource[] {
  return [...new Set(links)].map((url) => ({ kind, title: url, url }));
}

/** The only source of an item whose text its author typed. Errors: 400 if it is blank. */
export function textSource({ type, description, text }: TextItem): NewSource {
  if (type === 'qa') {
    if (description.trim() === '') throw invalidField('description', 'A question is required.');
    if (!text?.trim()) throw invalidField('text', 'An answer is required.');
    return readable('qa', description.trim(), withOurLines(text.trim()));
  }
  const body = withOurLines((text ?? description).trim());
  if (body === '') throw invalidField(text === null ? 'description' : 'text', 'A text is required.');
  const title = (text === null ? '' : description.trim()) || titleOfText(body);
  return readable('text', title, body);
}

/** An item for sale in its seller's words: the first line is its name. */
export function productSource(description: string): NewSource {
  const name = titleOfText(description);
  const card: ProductCard = {
    name,
    description: cutText(description.trim(), 500),
    price: null,
    currency: null,
    url: null,
    image: null,
  };
  return { ...readable('product', name, description.trim()), card };
}

/** Nothing is left to read. */
function readable(kind: NewSource['kind'], title: string, text: string): NewSource {
  // The title is part of the content: two questions may have the same answer.
  const contentHash = createHash('sha256').update(`${title}\n${text}`).digest('hex');
  return { kind, title, text, contentHash, state: 'embedding' };
}
