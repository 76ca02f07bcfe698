import type { FoundPassage, Retrieval } from '../../../contract/knowledge.ts';
import { formatNumber, formatScore, formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Callout } from '../../ui/callout.tsx';
import { FoundText } from './found-text.tsx';
import { ItemLink } from './item-link.tsx';
import style from './knowledge.module.css';
import { passagePlace } from './passage-place.ts';
import { wordsAsked } from './words-asked.ts';

/** What a question would find: whether it would be answered, by which terms, and from which passages. */
export function RetrievalView({ retrieval, question }: { retrieval: Retrieval; question: string }) {
  const { query, passages, terms, addedTerms, support, leastSupport, milliseconds } = retrieval;
  const isAnswered = passages.length > 0 && support >= leastSupport;
  const shares = { support: formatShare(support), least: formatShare(leastSupport) };
  return (
    <div className={style['found']}>
      <Callout>
        <span>
          <strong>{t(isAnswered ? 'knowledge.wouldAnswer' : 'knowledge.wouldNotAnswer')}</strong>{' '}
          {t('knowledge.support', shares)}
        </span>
      </Callout>
      {query !== question && <p className={style['soft']}>{t('knowledge.searchedFor', { query })}</p>}
      {terms.length > 0 && (
        <ul className={style['terms']} aria-label={t('knowledge.terms')}>
          {[...wordsAsked(terms, query)].map(([word, count]) => (
            <li key={word}>
              <Badge tone={count === 0 ? 'warning' : 'neutral'}>{word}</Badge>{' '}
              <span className={style['detail']}>
                {t('knowledge.inPassages#', { count, number: formatNumber(count) })}
              </span>
            </li>
          ))}
        </ul>
      )}
      {addedTerms.length > 0 && (
        <p className={style['soft']}>{t('knowledge.addedTerms', { terms: addedTerms.join(', ') })}</p>
      )}
      {passages.length > 0 && (
        <ol className={style['passages']} aria-label={t('knowledge.found')}>
          {passages.map((passage, index) => (
            <Found key={passage.chunkId} passage={passage} rank={index + 1} />
          ))}
        </ol>
      )}
      <p className={style['soft']}>
        {t('knowledge.foundIn#', {
          count: passages.length,
          number: formatNumber(passages.length),
          milliseconds: formatNumber(Math.round(milliseconds)),
        })}
      </p>
    </div>
  );
}

function Found({ passage, rank }: { passage: FoundPassage; rank: number }) {
  const { knowledgeId, sourceId, offset, text, title, score, similarity } = passage;
  const place = passagePlace(passage);
  return (
    <li className={style['passage']}>
      <div className={style['passageHead']}>
        <span className={style['number']}>{formatNumber(rank)}</span>
        <ItemLink
          knowledgeId={knowledgeId}
          place={{ source: sourceId, at: offset, length: text.length }}
          className={style['name']}
        >
          {title}
        </ItemLink>
        {place !== title && <span>{place}</span>}
        {passage.isUsed ? (
          <Badge tone="good">{t('knowledge.used')}</Badge>
        ) : (
          <Badge>{t('knowledge.notUsed')}</Badge>
        )}
        {passage.isAnswerOfPair && <Badge tone="accent">{t('knowledge.pair')}</Badge>}
        <span>{t('knowledge.score', { score: formatScore(score) })}</span>
        {similarity !== null && (
          <span>{t('knowledge.similarity', { similarity: formatScore(similarity) })}</span>
        )}
      </div>
      <FoundText text={text} terms={passage.matchedTerms} />
    </li>
  );
}
