import style from './conversation.module.css';
import { TextButton } from './text-button.tsx';
import { t } from './text.ts';
import type { ShownMessage } from './types.ts';

const remarks = {
  stopped: 'chat.stopped',
  failed: 'chat.failed',
  incomplete: 'chat.incomplete',
  unsent: 'chat.unsent',
} as const;

interface OutcomeProps {
  message: ShownMessage;
  onRetry: (() => void) | undefined;
}

/** Says under a message that it did not go as it should, why, and offers to try again. */
export function Outcome({ message, onRetry }: OutcomeProps) {
  const { state, error } = message;
  if (!isOdd(state)) return null;
  const isFault = state !== 'stopped';
  return (
    <p className={isFault ? style['problem'] : style['remark']} role={isFault ? 'alert' : undefined}>
      {error ?? t(remarks[state])} {onRetry && <TextButton text={t('chat.retry')} onClick={onRetry} />}
    </p>
  );
}

function isOdd(state: ShownMessage['state']): state is keyof typeof remarks {
  return state in remarks;
}
