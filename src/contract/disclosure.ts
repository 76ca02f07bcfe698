import * as z from 'zod';
import { name, text } from './common.ts';
import { DISCLOSURE_LANGUAGES_MAX, DISCLOSURE_MAX_CHARACTERS } from './limits.ts';

const disclosureWith = (words: z.ZodString) =>
  z.strictObject({
    isOn: z.boolean(),
    /** Words of one's own by language (`de`, `pt`); in other languages the usual ones are said. */
    texts: z
      .record(z.string().regex(/^[a-z]{2,3}$/, 'Must be a language.'), words)
      .refine((texts) => Object.keys(texts).length <= DISCLOSURE_LANGUAGES_MAX, 'Too many languages.'),
  });

/** That one talks with an AI, said before the first message. */
export const Disclosure = disclosureWith(text(DISCLOSURE_MAX_CHARACTERS, 1))
  // Versions that were saved before there was such a thing.
  .default({ isOn: true, texts: {} });
export type Disclosure = z.infer<typeof Disclosure>;

/** The same as it is given: what can be read is there to read. */
export const GivenDisclosure = disclosureWith(name(DISCLOSURE_MAX_CHARACTERS));
