import type { ReactNode } from 'react';
import type { PublicInsight } from '../../../contract/insight.ts';
import { formatNumber, formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Change } from './change.tsx';
import style from './insights.module.css';
import './messages.ts';

interface NumbersProps {
  now: PublicInsight['now'];
  before: PublicInsight['now'];
  /** For a single person, who need not be counted. */
  ofOne?: boolean;
}

/** The key numbers, each with its change from the previous period. */
export function Numbers({ now, before, ofOne = false }: NumbersProps) {
  const count = (name: 'conversations' | 'people' | 'messages' | 'unanswered', more?: 'bad') => (
    <Figure name={t(`insights.${name}`)} value={formatNumber(now[name])}>
      <Change now={now[name]} before={before[name]} write={formatNumber} {...(more && { more })} />
    </Figure>
  );
  const answers = now.answered + now.unanswered + now.failed;
  return (
    <dl className={style['figures']} aria-label={t('insights.numbers')}>
      {count('conversations')}
      {!ofOne && count('people')}
      {count('messages')}
      <Figure
        name={t('insights.answerRate')}
        value={shareOf(now.answerRate)}
        detail={t('insights.rateOf#', {
          count: answers,
          answered: formatNumber(now.answered),
          all: formatNumber(answers),
        })}
      >
        <ChangeOfShare now={now.answerRate} before={before.answerRate} />
      </Figure>
      {count('unanswered', 'bad')}
      <Figure
        name={t('insights.feedback')}
        value={shareOf(ratedWell(now))}
        detail={t('insights.feedbackOf', {
          up: formatNumber(now.ratedUp),
          down: formatNumber(now.ratedDown),
        })}
      >
        <ChangeOfShare now={ratedWell(now)} before={ratedWell(before)} />
      </Figure>
    </dl>
  );
}

function Figure(props: { name: string; value: string; detail?: string; children: ReactNode }) {
  return (
    <div className={style['figure']}>
      <dt>{props.name}</dt>
      <dd>
        <strong>{props.value}</strong>
        {props.detail && <span>{props.detail}</span>}
        {props.children}
      </dd>
    </div>
  );
}

function ChangeOfShare({ now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null) return null;
  return <Change now={now} before={before} write={formatShare} more="good" />;
}

const shareOf = (value: number | null) => (value === null ? '–' : formatShare(value));

function ratedWell({ ratedUp, ratedDown }: PublicInsight['now']): number | null {
  return ratedUp + ratedDown === 0 ? null : ratedUp / (ratedUp + ratedDown);
}
