import type { Deps } from '../../../deps.ts';
import { LEAST_SUPPORT } from '../../../llm/least-support.ts';
import type { ModelChain } from '../../../llm/models.ts';
import { translate, translates, type Translating, type Translation } from '../../../llm/translate.ts';
import { isSpokenIn } from '../analyze/spoken.ts';
import type { IndexReader } from './index-reader.ts';

/** Each of them makes a search of its own. */
const LANGUAGES_MAX = 3;
/** A smaller share of the passages is quotes, or texts whose language was misidentified. */
const LEAST_SHARE = 0.1;

/** A question for which something was found, or nothing. */
interface Asked<T> {
  text: string;
  /** The same person's earlier questions, newest first. */
  earlier: string[];
  /** With the question as it stands. */
  found: T;
  /** The agent would say that it doesn't know. */
  isRefused: boolean;
  chain: ModelChain;
}

/**
 * Words find nothing in texts of another language. A question in one is translated by the agent's models; what has most
 * support counts, whether the question or a translation found it. `search` is called with each translation.
 */
export async function foundInAnyLanguage<T extends { support: number }>(
  { traces }: Pick<Deps, 'traces'>,
  reader: Pick<IndexReader, 'languages'>,
  { text, earlier, found, isRefused, chain }: Asked<T>,
  search: (query: string) => Promise<T>,
  translating: Translating,
): Promise<{ best: T; translation?: Translation }> {
  if (found.support >= LEAST_SUPPORT || !translates(chain)) return { best: found };
  const languages = await languagesFor(reader, text, isRefused);
  if (languages.length === 0) return { best: found };
  const translation = await traces.span('translate', () =>
    translate(chain, { text, earlier, languages }, translating),
  );
  const others = await Promise.all(translation.texts.map(search));
  const best = others.reduce((most, each) => (each.support > most.support ? each : most), found);
  return { best, translation };
}

/**
 * Those of most texts; none if the question is in one of them. If its language isn't certain, it is translated only if
 * it would be refused otherwise.
 */
async function languagesFor(
  reader: Pick<IndexReader, 'languages'>,
  question: string,
  isRefused: boolean,
): Promise<string[]> {
  if (!/\p{L}/u.test(question)) return [];
  const found = await reader.languages();
  const most = found[0]?.chunks ?? 0;
  const languages = found
    .filter(({ chunks }) => chunks >= LEAST_SHARE * most)
    .map(({ language }) => language);
  const isOwn = isSpokenIn(question, languages);
  const isForeign = isOwn === undefined ? isRefused : !isOwn;
  return isForeign ? languages.slice(0, LANGUAGES_MAX) : [];
}
