import { useQueries } from '@tanstack/react-query';
import type { TestResult, TestRun } from '../../../contract/test-set.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { formatNumber, formatScore } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { failureInWords } from './expectation-text.ts';
import style from './tests.module.css';
import { runQuery, type SetKey } from './use-tests.ts';

interface Ran {
  run: TestRun;
  results: readonly TestResult[];
}

/** The result of each question, with several runs side by side. */
export function Results({ of, runIds }: { of: SetKey; runIds: readonly string[] }) {
  const queries = useQueries({ queries: runIds.map((id) => runQuery(of, id)) });
  const ran = queries.flatMap(({ data }) => data ?? []);
  if (ran.length < runIds.length) return <Skeleton shape="row" />;
  return (
    <section aria-label={t('tests.results')}>
      <ul className={style['results']}>
        {questionsOf(ran).map(({ id, question }) => (
          <li key={id} className={style['result']}>
            <h3>{question}</h3>
            <div className={style['answers']}>
              {ran.map(({ run, results }) => (
                <Answer key={run.id} run={run} result={results.find((each) => each.testCaseId === id)} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In the newest run's order, followed by those only older runs have. */
function questionsOf(ran: readonly Ran[]): { id: string; question: string }[] {
  const all = ran.toReversed().flatMap(({ results }) => results);
  return [...new Map(all.map(({ testCaseId, question }) => [testCaseId, question]))].map(
    ([id, question]) => ({ id, question }),
  );
}

function Answer({ run: { version }, result }: { run: TestRun; result: TestResult | undefined }) {
  return (
    <div className={style['answer']} role="group" aria-label={t('tests.answerOf', { version })}>
      <p>
        {result ? (
          <Badge tone={result.passed ? 'good' : 'bad'}>
            {result.passed ? t('tests.passed') : t('tests.failed')}
          </Badge>
        ) : (
          <Badge>{t('tests.notAsked')}</Badge>
        )}{' '}
        <span className={style['soft']}>{t('tests.onVersion', { version })}</span>
      </p>
      {result && <Details result={result} />}
    </div>
  );
}

function Details({ result: { answer, cited, failures, seconds, credits, model } }: { result: TestResult }) {
  const titles = [...new Set(cited.map(({ title }) => title))].join(', ');
  return (
    <>
      {failures.map((failure, index) => (
        <p key={index} className={style['why']}>
          {failureInWords(failure)}
        </p>
      ))}
      {answer && (
        <div className={style['answerText']} tabIndex={0}>
          <Markdown text={answer} />
        </div>
      )}
      {titles && <p className={style['soft']}>{t('tests.sources', { titles })}</p>}
      <p className={style['soft']}>
        {[
          t('tests.seconds', { seconds: formatScore(seconds) }),
          `${t('tests.credits')} ${formatNumber(credits)}`,
          model,
        ].join(' · ')}
      </p>
    </>
  );
}
