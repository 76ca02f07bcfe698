import { disclosureTexts } from '../../contract/disclosure-texts.ts';
import type { Agent } from './gate.ts';

/** In the reader's language if a text exists for it, or else in the agent's, or else in English; empty if it isn't shown. */
export function disclosureOf(
  { disclosure: { isOn, texts }, language }: Pick<Agent, 'disclosure' | 'language'>,
  reader?: string,
): string {
  if (!isOn) return '';
  const said = [reader, language, 'en'].flatMap((each) => {
    const code = each?.split('-')[0]?.toLowerCase() ?? '';
    return texts[code] ?? disclosureTexts[code] ?? [];
  });
  return said[0] ?? '';
}
