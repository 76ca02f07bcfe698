import * as z from 'zod';
import { name } from './common.ts';
import { DISCLOSURE_LANGUAGES_MAX, DISCLOSURE_MAX_CHARACTERS } from './limits.ts';

/** That one talks with an AI, said before the first message. */
export const Disclosure = z
  .strictObject({
    isOn: z.boolean(),
    /** Words of one's own by language (`de`, `pt`); in other languages the usual ones are said. */
    texts: z
      .record(z.string().regex(/^[a-z]{2,3}$/, 'Must be a language.'), name(DISCLOSURE_MAX_CHARACTERS))
      .refine((texts) => Object.keys(texts).length <= DISCLOSURE_LANGUAGES_MAX, 'Too many languages.'),
  })
  // Versions that were saved before there was such a thing.
  .default({ isOn: true, texts: {} });
export type Disclosure = z.infer<typeof Disclosure>;
