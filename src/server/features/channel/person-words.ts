import { plainInMarkdown } from '../../plain-in-markdown.ts';

/** What a member is, as opposed to the AI, by language: in a channel, nothing else shows who is writing. */
const personWords: Readonly<Record<string, string>> = {
  ar: 'شخص',
  cs: 'člověk',
  da: 'menneske',
  de: 'Mensch',
  el: 'άνθρωπος',
  en: 'person',
  es: 'persona',
  fi: 'ihminen',
  fr: 'personne',
  hi: 'व्यक्ति',
  hu: 'ember',
  id: 'manusia',
  it: 'persona',
  ja: '担当者',
  ko: '상담원',
  nl: 'mens',
  no: 'menneske',
  pl: 'człowiek',
  pt: 'pessoa',
  ro: 'om',
  ru: 'человек',
  sv: 'människa',
  tr: 'insan',
  uk: 'людина',
  vi: 'người thật',
  zh: '真人',
};

/**
 * The line above a member's message: who they are, and that they are a person, in the agent's language if it has a word
 * for it.
 */
export function headingOf({ author, language }: { author: string; language: string | null }): string {
  const word = personWords[language?.split('-')[0]?.toLowerCase() ?? ''] ?? 'person';
  const name = plainInMarkdown(author);
  return name === '' ? `**(${word}):**` : `**${name} (${word}):**`;
}
