import type { RefObject } from 'react';
import { t } from './answer-text.ts';
import style from './conversation.module.css';
import type { Unread } from './use-earlier.ts';
import { usePrinting } from './use-printing.ts';

interface PrintingProps {
  scroller: RefObject<HTMLElement | null>;
  unread: Unread;
}

/** Says that a conversation is being loaded for printing. */
export function Printing({ scroller, unread }: PrintingProps) {
  const isPreparing = usePrinting(scroller, unread);
  return (
    <p className={isPreparing ? style['preparing'] : undefined} role="status">
      {isPreparing && t('chat.preparingPrint')}
    </p>
  );
}
