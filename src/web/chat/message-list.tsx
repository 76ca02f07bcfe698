import { IconArrowDown } from '@tabler/icons-react';
import { Bubble } from './bubble.tsx';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { PersonLine } from './person-line.tsx';
import './print.css';
import { Printing } from './printing.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { t } from './answer-text.ts';
import { isWithPerson } from './shown-messages.ts';
import { useEarlier } from './use-earlier.ts';
import { useStickToEnd } from './use-stick-to-end.ts';
import { useGoToMessage } from './use-go-to-message.ts';

export interface MessageListProps {
  /** The message to scroll to; without one the end. */
  startAt: string | undefined;
}

export function MessageList({ startAt }: MessageListProps) {
  const { chat } = useParts();
  const { messages, activity, live, loading, problem, handling } = chat;
  const unread = useEarlier();
  const { scroller, atEnd, goToEnd } = useStickToEnd(messages, startAt === undefined);
  useGoToMessage(scroller, { messages, loading, unread }, startAt);
  const last = messages.at(-1);
  return (
    <div className={style['scrollFrame']}>
      <div
        ref={scroller}
        className={style['scroller']}
        tabIndex={0}
        role="region"
        aria-label={t('chat.log')}
        data-printed
      >
        <ol className={style['messages']}>
          {unread.earlier && <Earlier onShow={() => void unread.showEarlier()} />}
          {messages.map((message) => (
            <Bubble key={message.key} message={message} isLast={message === last} />
          ))}
          {loading === 'loading' && messages.length === 0 && <Waiting text={t('chat.loading')} />}
          {(activity === 'answering' || activity === 'attaching') &&
            !live &&
            last?.role === 'user' &&
            !isWithPerson(handling) && <Waiting text={t('chat.thinking')} />}
          {activity === 'reconnecting' && <Waiting text={t('chat.reconnecting')} />}
          {activity === 'idle' && loading === 'ready' && <PersonLine />}
          {problem && (
            <li className={style['problem']}>
              <span role="alert">{problem}</span>
            </li>
          )}
          {loading === 'failed' && <NotLoaded onRetry={chat.reload} />}
        </ol>
      </div>
      <Printing scroller={scroller} unread={unread} />
      {!atEnd && (
        <button type="button" className={style['toEnd']} aria-label={t('chat.latest')} onClick={goToEnd}>
          <IconArrowDown size="1.25em" aria-hidden />
        </button>
      )}
    </div>
  );
}

function Earlier({ onShow }: { onShow: () => void }) {
  return (
    <li className={style['centred']}>
      <TextButton text={t('chat.earlier')} onClick={onShow} />
      <span className={style['notPrinted']}>{t('chat.notPrinted')}</span>
    </li>
  );
}

function Waiting({ text }: { text: string }) {
  return (
    <li className={style['waiting']}>
      <span className={style['dots']} aria-hidden />
      <span role="status">{text}</span>
    </li>
  );
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <li className={style['problem']}>
      <span role="alert">{t('chat.loadFailed')}</span> <TextButton text={t('chat.retry')} onClick={onRetry} />
    </li>
  );
}
