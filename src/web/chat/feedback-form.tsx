import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { feedbackReasons } from '../../contract/chat.ts';
import { FEEDBACK_MAX_CHARACTERS } from '../../contract/limits.ts';
import { PlainButton } from '../ui/button.tsx';
import style from './feedback-form.module.css';
import { t } from './answer-text.ts';
import type { Rating } from './types.ts';

type Reason = (typeof feedbackReasons)[number];

const reasons = [
  ['wrong', 'chat.reasonWrong'],
  ['incomplete', 'chat.reasonIncomplete'],
  ['off-topic', 'chat.reasonOffTopic'],
  ['unclear', 'chat.reasonUnclear'],
  ['harmful', 'chat.reasonHarmful'],
  ['other', 'chat.reasonOther'],
] as const satisfies readonly (readonly [Reason, string])[];

export interface FeedbackFormProps {
  rating: Rating;
  onSend: (why: { reason?: Reason; comment: string }) => Promise<void>;
  onClose: () => void;
}

/** Asks why an answer was good or bad. The rating itself is already recorded: skipping this is fine. */
export function FeedbackForm({ rating, onSend, onClose }: FeedbackFormProps) {
  const [reason, setReason] = useState<Reason>();
  const [comment, setComment] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
    form.current?.scrollIntoView({ block: 'center' });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <form
      ref={form}
      className={style['line']}
      aria-label={t('chat.why')}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void onSend({ ...(reason && { reason }), comment: comment.trim() });
      }}
    >
      <div className={style['card']}>
        <p className={style['title']}>{t(rating === 'up' ? 'chat.whyGood' : 'chat.whyBad')}</p>
        {rating === 'down' && <Reasons chosen={reason} onChoose={setReason} />}
        <textarea
          rows={2}
          className={style['comment']}
          aria-label={t('chat.comment')}
          placeholder={t('chat.comment')}
          maxLength={FEEDBACK_MAX_CHARACTERS}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
        />
        <div className={style['buttons']}>
          <PlainButton onClick={onClose}>{t('chat.skip')}</PlainButton>
          <PlainButton kind="primary" type="submit" disabled={!reason && comment.trim() === ''}>
            {t('chat.sendFeedback')}
          </PlainButton>
        </div>
      </div>
    </form>
  );
}

function Reasons({ chosen, onChoose }: { chosen: Reason | undefined; onChoose: (reason: Reason) => void }) {
  return (
    <fieldset className={style['reasons']}>
      <legend>{t('chat.why')}</legend>
      {reasons.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name="reason" checked={chosen === value} onChange={() => onChoose(value)} />
          {t(text)}
        </label>
      ))}
    </fieldset>
  );
}
