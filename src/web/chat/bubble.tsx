import { Avatar } from '../ui/avatar.tsx';
import { Hidden } from '../ui/hidden.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { useParts } from './conversation-context.ts';
import style from './conversation.module.css';
import { LinkedText } from './linked-text.tsx';
import { Markdown } from './markdown/markdown.tsx';
import { MessageEditor } from './message-editor.tsx';
import { MessageFiles } from './message-files.tsx';
import { Outcome } from './outcome.tsx';
import { ProductCards } from './product-cards.tsx';
import { QuestionActions } from './question-actions.tsx';
import { Sources } from './sources.tsx';
import { Suggestions } from './suggestions.tsx';
import { ToolCalls } from './tool-calls.tsx';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

interface BubbleProps {
  message: ShownMessage;
  isLast: boolean;
}

export function Bubble(props: BubbleProps) {
  const { me } = useParts();
  const { role, author } = props.message;
  if (role === 'operator') return <OthersWords message={props.message} />;
  if (role !== 'user') return <Answer {...props} />;
  return author && author.id !== me ? <OthersWords message={props.message} /> : <Question {...props} />;
}

/** Shows people's messages as they wrote them. */
function Question({ message, isLast }: BubbleProps) {
  const { editing, asker } = useParts();
  if (editing === message.key)
    return (
      <li className={style['question']} data-message={message.id}>
        <MessageEditor message={message} />
      </li>
    );
  return (
    <li className={style['question']} data-message={message.id}>
      <Hidden>{asker ?? t('chat.you')}</Hidden>
      <MessageFiles attachments={message.attachments} />
      <p className={style['said']} data-state={message.state}>
        {message.text}
      </p>
      <Outcome message={message} isLast={isLast} />
      {message.id !== null && <QuestionActions message={message} />}
    </li>
  );
}

/** What another person said: in a room, or instead of the agent. */
function OthersWords({ message }: { message: ShownMessage }) {
  const { author, role } = message;
  return (
    <li className={style['others']} data-message={message.id}>
      <span className={style['speaker']}>
        <Avatar round name={author?.name ?? ''} photo={author?.profilePhoto ?? ''} />
        <span>{author?.name ?? t('chat.person')}</span>
        {role === 'operator' && <span className={style['mark']}>{t('chat.person')}</span>}
      </span>
      <MessageFiles attachments={message.attachments} />
      <p className={style['said']}>
        <LinkedText text={message.text} />
      </p>
    </li>
  );
}

function Answer({ message, isLast }: BubbleProps) {
  const { agent, open, chat } = useParts();
  const { text, state, citations } = message;
  const isWhole = state !== 'streaming' && state !== 'pending';
  return (
    <li className={style['answer']} aria-busy={!isWhole} data-message={message.id}>
      <div className={style['speaker']}>
        <Avatar name={agent.name} photo={agent.profilePhoto} />
        <span>{agent.name}</span>
        <span className={style['mark']}>{t('chat.ai')}</span>
      </div>
      {text === '' && !isWhole && (
        <p className={style['waiting']} role="status">
          <span className={style['dots']} aria-hidden />
          {t('chat.thinking')}
        </p>
      )}
      <ToolCalls message={message} isLast={isLast} />
      <Markdown
        text={text}
        citations={citations}
        onCite={({ number }) => open({ type: 'passages', key: message.key, number })}
      />
      {isWhole && <ProductCards text={text} citations={citations} />}
      {isWhole && <Sources message={message} />}
      <Outcome message={message} isLast={isLast} />
      {isWhole && <AnswerActions message={message} isLast={isLast} />}
      {isLast && chat.activity === 'idle' && <Suggestions texts={message.suggestions} />}
    </li>
  );
}
