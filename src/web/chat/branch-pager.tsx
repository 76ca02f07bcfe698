import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { IconButton } from './icon-button.tsx';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

/** Shows which branch at this message is displayed, and lets the reader switch. */
export function BranchPager({ message }: { message: ShownMessage }) {
  const { chat, transport } = useParts();
  const { id, siblings } = message;
  const place = id === null ? -1 : siblings.indexOf(id);
  if (siblings.length < 2 || place < 0 || !transport.choose) return null;
  const choose = (sibling: string | undefined) => () => {
    if (sibling !== undefined && chat.activity === 'idle')
      void transport.choose?.(sibling).then(chat.reread).catch(chat.failed);
  };
  const previous = siblings[place - 1];
  const next = siblings[place + 1];
  // At the end of the range a button stays in place, so that focus does too.
  return (
    <span className={style['pager']}>
      <IconButton
        icon={IconChevronLeft}
        label={t('chat.previousBranch')}
        aria-disabled={!previous}
        onClick={choose(previous)}
      />
      <span aria-live="polite">{t('chat.branch', { number: place + 1, count: siblings.length })}</span>
      <IconButton
        icon={IconChevronRight}
        label={t('chat.nextBranch')}
        aria-disabled={!next}
        onClick={choose(next)}
      />
    </span>
  );
}
