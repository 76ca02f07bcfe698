import { IconArrowDown } from '@tabler/icons-react';
import type { Citation } from '../../contract/chat.ts';
import { Bubble } from './bubble.tsx';
import style from './conversation.module.css';
import { TextButton } from './text-button.tsx';
import { t } from './text.ts';
import type { ChatAgent } from './types.ts';
import type { useConversation } from './use-conversation.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

interface MessageListProps {
  agent: ChatAgent;
  chat: ReturnType<typeof useConversation>;
  onCite: (citation: Citation) => void;
}

export function MessageList({ agent, chat, onCite }: MessageListProps) {
  const { messages, activity, loading, earlier } = chat;
  const { scroller, atEnd, goToEnd } = useStickToEnd(messages);
  const last = messages.at(-1);
  return (
    <div className={style['scrollFrame']}>
      <div ref={scroller} className={style['scroller']} tabIndex={0} role="region" aria-label={t('chat.log')}>
        <ol className={style['messages']}>
          {earlier && (
            <li className={style['centred']}>
              <TextButton text={t('chat.earlier')} onClick={() => void chat.showEarlier()} />
            </li>
          )}
          {messages.map((message) => (
            <Bubble
              key={message.key}
              message={message}
              agent={agent}
              onCite={onCite}
              onRetry={message === last && activity === 'idle' ? () => void chat.retry(message) : undefined}
            />
          ))}
          {loading === 'loading' && messages.length === 0 && <Waiting text={t('chat.loading')} />}
          {activity === 'answering' && last?.role === 'user' && <Waiting text={t('chat.thinking')} />}
          {activity === 'reconnecting' && <Waiting text={t('chat.reconnecting')} />}
          {loading === 'failed' && (
            <li className={style['problem']} role="alert">
              {t('chat.loadFailed')} <TextButton text={t('chat.retry')} onClick={() => void chat.reload()} />
            </li>
          )}
        </ol>
      </div>
      {!atEnd && (
        <button type="button" className={style['toEnd']} aria-label={t('chat.latest')} onClick={goToEnd}>
          <IconArrowDown size="1.25em" aria-hidden />
        </button>
      )}
    </div>
  );
}

function Waiting({ text }: { text: string }) {
  return (
    <li className={style['waiting']} role="status">
      <span className={style['dots']} aria-hidden />
      {text}
    </li>
  );
}
