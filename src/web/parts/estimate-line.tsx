import type { Estimate } from '../../contract/estimate.ts';
import type { Sentiment } from '../../contract/sentiments.ts';
import style from './estimate-line.module.css';
import './estimate-messages.ts';
import { t } from '../messages/t.ts';
import { Badge, type Tone } from '../ui/badge.tsx';

const tones: Record<Sentiment, Tone> = { positive: 'good', neutral: 'neutral', negative: 'bad' };

/** A model's judgment of a conversation, worded as an estimate. `whole`: with all details. */
export function EstimateLine({ estimate, whole = false }: { estimate: Estimate; whole?: boolean }) {
  const { sentiment, quality, answered, grounded } = estimate;
  const words = t('estimate.short', {
    sentiment: t(`estimate.sentiment.${sentiment}`),
    quality: String(quality),
  });
  const more = [
    t(answered ? 'estimate.answered' : 'estimate.notAnswered'),
    t(grounded ? 'estimate.grounded' : 'estimate.notGrounded'),
  ];
  return (
    <p className={style['line']}>
      <Badge tone={tones[sentiment]}>{words}</Badge> {whole && more.join(', ')}
    </p>
  );
}
