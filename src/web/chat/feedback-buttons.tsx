import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import style from './conversation.module.css';
import type { FeedbackFormProps } from './feedback-form.tsx';
import { IconButton } from './icon-button.tsx';
import { lazily } from '../ui/later.ts';
import { t } from './answer-text.ts';
import type { Rating } from './types.ts';
import { useRating } from './use-rating.ts';

const FeedbackForm = lazily<FeedbackFormProps>(
  async () => (await import('./feedback-form.tsx')).FeedbackForm,
);

/** Rates good or bad at once; then, optionally, asks why. The same thumb again takes it back. */
export function FeedbackButtons({ id, rating }: { id: string; rating: Rating | null }) {
  const rate = useRating(id, rating);
  const [asking, setAsking] = useState<Rating | null>(null);
  const frame = useRef<HTMLSpanElement>(null);
  const press = (thumb: Rating) => () => {
    const next = rating === thumb ? null : thumb;
    setAsking(next);
    void rate({ rating: next });
  };
  const close = () => {
    // Finds the button by position, since the conversation may just have been reloaded. Focus that has moved elsewhere
    // is left there.
    if (frame.current?.contains(document.activeElement))
      frame.current.querySelectorAll('button')[asking === 'up' ? 0 : 1]?.focus();
    setAsking(null);
  };
  return (
    <span ref={frame} className={style['feedback']}>
      <IconButton
        icon={rating === 'up' ? IconThumbUpFilled : IconThumbUp}
        label={t('chat.good')}
        aria-pressed={rating === 'up'}
        onClick={press('up')}
      />
      <IconButton
        icon={rating === 'down' ? IconThumbDownFilled : IconThumbDown}
        label={t('chat.bad')}
        aria-pressed={rating === 'down'}
        onClick={press('down')}
      />
      {asking && (
        <Suspense>
          <FeedbackForm
            rating={asking}
            onSend={async (why) => {
              if (await rate({ rating: asking, ...why })) close();
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </span>
  );
}
