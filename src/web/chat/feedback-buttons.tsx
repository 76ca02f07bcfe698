import { IconThumbDown, IconThumbDownFilled, IconThumbUp, IconThumbUpFilled } from '@tabler/icons-react';
import { Suspense, useRef, useState } from 'react';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import type { FeedbackFormProps } from './feedback-form.tsx';
import { IconButton } from './icon-button.tsx';
import { lazily } from './lazily.tsx';
import { t } from './answer-text.ts';
import type { Rating } from './types.ts';

const FeedbackForm = lazily<FeedbackFormProps>(
  async () => (await import('./feedback-form.tsx')).FeedbackForm,
);

/** Good or bad, at once; then, for those who like, why. The same thumb again takes it back. */
export function FeedbackButtons({ id, rating }: { id: string; rating: Rating | null }) {
  const { chat } = useParts();
  const [asking, setAsking] = useState<Rating | null>(null);
  const frame = useRef<HTMLSpanElement>(null);
  const press = (thumb: Rating) => () => {
    const next = rating === thumb ? null : thumb;
    setAsking(next);
    void chat.rate(id, { rating: next });
  };
  const close = () => {
    // Not the one that is pressed: the conversation may just have been read anew.
    frame.current?.querySelectorAll('button')[asking === 'up' ? 0 : 1]?.focus();
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
            onSend={(why) => {
              close();
              void chat.rate(id, { rating: asking, ...why });
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </span>
  );
}
