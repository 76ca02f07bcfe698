import type * as z from 'zod';
import type { NewKnowledge } from '../../../contract/knowledge.ts';
import { invalidField } from '../../app-error.ts';
import type { StoredFile } from '../file/store.ts';
import type { NewSource } from './store.ts';

type Input = z.infer<typeof NewKnowledge>;

const TITLE_CHARACTERS = 120;

/** What a text without a title of its own is called: its first line. */
export function titleOfText(text: string): string {
  const line =
    text
      .trim()
      .split('\n')[0]
      ?.replace(/^#+\s*/, '')
      .trim() ?? '';
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`;
}

/** The sources of a new item. Errors: 400 when its type's part is missing. */
export function newSources(input: Input, files: StoredFile[]): NewSource[] {
  switch (input.type) {
    case 'text': {
      const text = (input.text ?? input.description).trim();
      if (text === '')
        throw invalidField(input.text === undefined ? 'description' : 'text', 'A text is needed.');
      const title =
        input.text === undefined ? titleOfText(text) : input.description.trim() || titleOfText(text);
      return [{ kind: 'text', title, text, state: 'embedding' }];
    }
    case 'file':
      if (files.length === 0) throw invalidField('files', 'A file is needed.');
      return files.map(({ id, name }) => ({ kind: 'file', title: name, fileId: id }));
    case 'website':
      if (input.links.length === 0) throw invalidField('links', 'An address is needed.');
      return [...new Set(input.links)].map((url) => ({ kind: 'page', title: url, url }));
  }
}
