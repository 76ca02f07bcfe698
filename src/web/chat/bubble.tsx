import type { Citation } from '../../contract/chat.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { CopyButton } from './copy-button.tsx';
import style from './conversation.module.css';
import { Markdown } from './markdown/markdown.tsx';
import { Outcome } from './outcome.tsx';
import { ProductCards } from './product-cards.tsx';
import { Sources } from './sources.tsx';
import { t } from './text.ts';
import type { ChatAgent, ShownMessage } from './types.ts';

interface BubbleProps {
  message: ShownMessage;
  agent: ChatAgent;
  onCite: (citation: Citation) => void;
  /** Given where asking again makes sense. */
  onRetry: (() => void) | undefined;
}

export function Bubble(props: BubbleProps) {
  return props.message.role === 'user' ? <Question {...props} /> : <Answer {...props} />;
}

/** What people write is shown as they wrote it. */
function Question({ message, onRetry }: BubbleProps) {
  return (
    <li className={style['question']}>
      <Hidden>{t('chat.you')}</Hidden>
      <p className={style['said']} data-state={message.state}>
        {message.text}
      </p>
      <Outcome message={message} onRetry={onRetry} />
    </li>
  );
}

function Answer({ message, agent, onCite, onRetry }: BubbleProps) {
  const { text, state, citations } = message;
  const isWhole = state !== 'streaming' && state !== 'pending';
  return (
    <li className={style['answer']} aria-busy={!isWhole}>
      <div className={style['speaker']}>
        <Avatar name={agent.name} photo={agent.profilePhoto} />
        <span>{agent.name}</span>
      </div>
      {text === '' && !isWhole && (
        <p className={style['waiting']} role="status">
          <span className={style['dots']} aria-hidden />
          {t('chat.thinking')}
        </p>
      )}
      <Markdown text={text} citations={citations} onCite={onCite} />
      {isWhole && <ProductCards text={text} citations={citations} />}
      <Outcome message={message} onRetry={onRetry} />
      {isWhole && text !== '' && (
        <div className={style['tools']}>
          <Sources text={text} citations={citations} onCite={onCite} />
          <CopyButton text={text} label={t('chat.copy')} />
        </div>
      )}
    </li>
  );
}
