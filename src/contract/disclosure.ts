import * as z from 'zod';
import { name, text } from './common.ts';
import { DISCLOSURE_LANGUAGES_MAX, DISCLOSURE_MAX_CHARACTERS } from './limits.ts';

const disclosureWith = (words: z.ZodString) =>
  z.strictObject({
    isOn: z.boolean(),
    /** Custom texts by language (`de`, `pt`); other languages use the standard text. */
    texts: z
      .record(z.string().regex(/^[a-z]{2,3}$/, 'Must be a language.'), words)
      .refine((texts) => Object.keys(texts).length <= DISCLOSURE_LANGUAGES_MAX, 'Too many languages.'),
  });

/** The notice, shown before the first message, that one is talking to an AI. */
export const Disclosure = disclosureWith(text(DISCLOSURE_MAX_CHARACTERS, 1))
  // For versions saved before this setting existed.
  .default({ isOn: true, texts: {} });
export type Disclosure = z.infer<typeof Disclosure>;

/** The same as input: a given text must be readable, not blank. */
export const GivenDisclosure = disclosureWith(name(DISCLOSURE_MAX_CHARACTERS));
