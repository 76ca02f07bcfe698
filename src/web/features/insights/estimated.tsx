import type { EstimatedSums, Insight } from '../../../contract/insight.ts';
import '../../parts/estimate-messages.ts';
import { formatNumber, formatShare } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { Change } from './change.tsx';
import style from './insights.module.css';

type Counted = 'positive' | 'neutral' | 'negative' | 'answered' | 'grounded';

const names = {
  positive: 'estimate.positive',
  neutral: 'estimate.neutral',
  negative: 'estimate.negative',
  answered: 'estimate.shareAnswered',
  grounded: 'estimate.shareGrounded',
} as const;
/** Whether an increase is good or bad. */
const meaning: Partial<Record<Counted, 'good' | 'bad'>> = {
  positive: 'good',
  negative: 'bad',
  answered: 'good',
  grounded: 'good',
};

/** The models' estimates of conversations, compared with the previous period; nothing if none has been estimated. */
export function Estimated({
  now: { estimated: now },
  before: { estimated: before },
}: Pick<Insight, 'now' | 'before'>) {
  if (now.conversations === 0) return null;
  return (
    <section className={style['part']} aria-labelledby="estimated">
      <h2 id="estimated">{t('estimate.shares')}</h2>
      <p>{t('estimate.sharesLead')}</p>
      <dl className={style['figures']}>
        {(Object.keys(names) as Counted[]).map((of) => (
          <Share key={of} {...{ of, now, before }} />
        ))}
        <Quality now={now} before={before} />
      </dl>
    </section>
  );
}

interface Sides {
  now: EstimatedSums;
  before: EstimatedSums;
}

function Share({ of, now, before }: Sides & { of: Counted }) {
  const more = meaning[of];
  return (
    <div className={style['figure']}>
      <dt>{t(names[of])}</dt>
      <dd>
        <strong>{formatShare(now[of] / now.conversations)}</strong>
        <span>
          {t('estimate.of#', {
            count: now.conversations,
            some: formatNumber(now[of]),
            all: formatNumber(now.conversations),
          })}
        </span>
        {before.conversations > 0 && (
          <Change
            now={now[of] / now.conversations}
            before={before[of] / before.conversations}
            write={formatShare}
            {...(more && { more })}
          />
        )}
      </dd>
    </div>
  );
}

/** To a tenth. */
const rounded = (quality: number) => Math.round(quality * 10) / 10;

function Quality({ now, before }: Sides) {
  if (now.quality === null) return null;
  return (
    <div className={style['figure']}>
      <dt>{t('estimate.quality')}</dt>
      <dd>
        <strong>{formatNumber(rounded(now.quality))}</strong>
        <span>
          {t('estimate.average#', { count: now.conversations, all: formatNumber(now.conversations) })}
        </span>
        {before.quality !== null && (
          <Change
            now={rounded(now.quality)}
            before={rounded(before.quality)}
            write={formatNumber}
            more="good"
          />
        )}
      </dd>
    </div>
  );
}
