import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { TextButton } from '../ui/text-button.tsx';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

/** For each failed state, the remark and the label of the next step. */
const remarks = {
  stopped: ['chat.stopped', 'chat.answerAgain'],
  failed: ['chat.failed', 'chat.retry'],
  incomplete: ['chat.incomplete', 'chat.answerAgain'],
  unsent: ['chat.unsent', 'chat.sendAgain'],
} as const;

interface OutcomeProps {
  message: ShownMessage;
  isLast: boolean;
}

/** Says below a message that it failed, why, and offers a retry. */
export function Outcome({ message, isLast }: OutcomeProps) {
  const { chat, transport } = useParts();
  const { state, error } = message;
  if (!isOdd(state)) return null;
  const [remark, way] = remarks[state];
  const canRetry =
    chat.activity === 'idle' &&
    (state === 'unsent' || (isLast && chat.loading !== 'failed' && transport.again !== undefined));
  const isFault = state !== 'stopped';
  return (
    <p className={isFault ? style['problem'] : style['remark']} role={isFault ? 'alert' : undefined}>
      {error ?? t(remark)} {canRetry && <TextButton text={t(way)} onClick={() => void chat.retry(message)} />}{' '}
      {state === 'unsent' && <TextButton text={t('chat.discard')} onClick={() => chat.discard(message)} />}
    </p>
  );
}

/** Whether it did not go as it should. */
export function isOdd(state: ShownMessage['state']): state is keyof typeof remarks {
  return state in remarks;
}
