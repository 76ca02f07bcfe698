/**
 * Complete answers that only say one doesn't know, in the most commonly written languages. Without a leading "I'm
 * sorry" and the like.
 */
const WORDS = [
  /i (?:do not|don't) (?:actually |really )?know(?: the answer)?(?: (?:to )?(?:this|that|it)(?: question)?)?/,
  /i (?:have no|don't have an|do not have an) answer(?: (?:to|for) (?:this|that|your)(?: question)?)?/,
  /(?:das|es) weiß ich (?:leider )?nicht|ich weiß (?:es|das) (?:leider )?nicht/,
  /je ne (?:le )?sais pas/,
  /(?:yo )?no (?:lo )?sé/,
  /non (?:lo )?so/,
  /(?:eu )?não sei/,
  /(?:dat|het) weet ik (?:helaas )?niet|ik weet (?:het|dat) (?:helaas )?niet/,
  /(?:ja )?nie wiem/,
  /(?:det )?vet jag inte|jag vet inte/,
  /bilmiyorum/,
  /(?:я )?(?:этого )?не знаю/,
  /我不知道|我不清楚/,
  /わかりません|分かりません/,
  /모르겠습니다|몰라요/,
  /لا أعرف|لا أعلم/,
];
const BEFORE =
  /(?:(?:i'm|i am|es tut mir|lo|mi) )?(?:sorry|leid|désolée?|siento|dispiace|unfortunately|leider)[,.!]? (?:but |aber |mais |pero |ma )?/;
const NOT_KNOWN = new RegExp(
  `^(?:${BEFORE.source})?(?:${WORDS.map(({ source }) => source).join('|')})$`,
  'u',
);

/** Longer than any answer that says only this. */
const LONGEST = 120;

/** True for an answer that says there is none: the agent's own fallback, or a statement of not knowing, and nothing else. */
export function isNoAnswer(text: string, fallback: string): boolean {
  const said = bare(text);
  return said !== '' && (said === bare(fallback) || (said.length <= LONGEST && NOT_KNOWN.test(said)));
}

/** Without Markdown, citations, quotes and final punctuation, in lower case. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[’‘]/g, "'")
    .replace(/\[\d{1,3}\]|[*_`"“”„«»]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!。！…]{1,3}$/u, '')
    .trim()
    .toLowerCase();
}
