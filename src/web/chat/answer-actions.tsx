import { IconReceipt, IconRefresh } from '@tabler/icons-react';
import { BranchPager } from './branch-pager.tsx';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { CopyButton } from './copy-button.tsx';
import { FeedbackButtons } from './feedback-buttons.tsx';
import { IconButton } from './icon-button.tsx';
import { ReadAloudButton } from './read-aloud-button.tsx';
import { t } from './answer-text.ts';
import { isOdd } from './outcome.tsx';
import { isWithPerson } from './shown-messages.ts';
import { Toolbar } from './toolbar.tsx';
import type { ShownMessage } from './types.ts';

interface AnswerActionsProps {
  message: ShownMessage;
  /** The last answer's actions are always visible; those of others on hover or keyboard focus. */
  isLast: boolean;
}

/** The actions for an answer. */
export function AnswerActions({ message, isLast }: AnswerActionsProps) {
  const { chat, transport, open } = useParts();
  const { id, text } = message;
  const isAgents = transport.say === undefined && !isWithPerson(chat.handling);
  // If the last answer did not go as it should, a labeled button below it offers the same.
  const isOffered = isLast && isOdd(message.state);
  const canAskAgain = transport.again && isAgents && !isOffered && chat.activity === 'idle' && id !== null;
  return (
    <div className={style['actions']} data-always={isLast}>
      <Toolbar label={t('chat.actions')} className={style['tools']}>
        <BranchPager message={message} />
        {text !== '' && <CopyButton text={text} label={t('chat.copy')} isAnswer />}
        {text !== '' && <ReadAloudButton message={message} />}
        {canAskAgain && (
          <IconButton
            icon={IconRefresh}
            label={t('chat.regenerate')}
            onClick={() => void chat.regenerate(message)}
          />
        )}
        {id !== null && text !== '' && transport.rate && <FeedbackButtons id={id} rating={message.rating} />}
        {id !== null && transport.receipt && (
          <IconButton
            icon={IconReceipt}
            label={t('chat.receipt')}
            onClick={() => open({ type: 'receipt', key: message.key })}
          />
        )}
      </Toolbar>
    </div>
  );
}
