import { disclosureTexts } from '../../contract/disclosure-texts.ts';
import type { Agent } from './gate.ts';

/** In the reader's language where there are words for it, else in the agent's, else in English; empty where it is not said. */
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
