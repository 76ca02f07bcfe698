import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import type { Conversation } from '../../../contract/chat.ts';
import { t } from '../../messages/t.ts';
import { viewOf } from '../../queries/query-props.ts';
import { readSpoken } from '../../chat/spoken.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Recorder } from './recorder.tsx';
import { Said } from './said.tsx';
import { isUnderWay, useLeave, useMessages } from './use-voicemail.ts';
import style from './voicemail.module.css';

interface VoicemailProps {
  conversation: Conversation;
  isOpen: boolean;
  onToggle: () => void;
}

/** An exchange of voice messages; when open, with all messages and a way to continue. */
export function Voicemail({ conversation, isOpen, onToggle }: VoicemailProps) {
  const { agent, title, updatedAt } = conversation;
  const contentId = useId();
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  // An unsent recording in it is not lost by opening another exchange, and is there for a person who signs in again.
  const [isHeld, setIsHeld] = useState(() => readSpoken(conversation.id) !== undefined);
  useEffect(() => {
    if (isHeld && !isOpen) onToggle();
    // Once, with the initial state.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  const isShown = isOpen || isHeld;
  const Chevron = isShown ? IconChevronDown : IconChevronRight;
  return (
    <li ref={item} className={style['item']}>
      <button
        type="button"
        className={style['head']}
        aria-expanded={isShown}
        aria-controls={isShown ? contentId : undefined}
        onClick={onToggle}
      >
        <Avatar name={agent.name} photo={agent.profilePhoto} />
        <span className={style['who']}>
          <strong>{agent.name}</strong>
          <span className={style['title']}>{title === agent.name ? t('voicemail.untitled') : title}</span>
        </span>
        <span className={style['when']}>
          <TimeAgo at={updatedAt} />
        </span>
        <Chevron size="1.15em" aria-hidden />
      </button>
      {isShown && (
        <div id={contentId} className={style['exchange']}>
          <Exchange conversation={conversation} onHold={setIsHeld} />
        </div>
      )}
    </li>
  );
}

/** A ref for content that loads after its exchange is opened, and makes it longer. */
function bringIntoSight(list: HTMLOListElement | null): void {
  list?.closest(`.${style['item']}`)?.scrollIntoView({ block: 'nearest' });
}

interface ExchangeProps {
  conversation: Conversation;
  onHold: (isHeld: boolean) => void;
}

function Exchange({ conversation: { id, agent }, onHold }: ExchangeProps) {
  const messages = useMessages(id);
  const { leave, isOnItsWay, recorderKey } = useLeave(id);
  const last = messages.data?.at(-1);
  return (
    <>
      <QueryView {...viewOf(messages)} shape="line">
        {(list) => (
          <ol ref={bringIntoSight} className={style['messages']} aria-live="polite">
            {list.map((message) => (
              <Said key={message.id} message={message} agentName={agent.name} isLast={message === last} />
            ))}
          </ol>
        )}
      </QueryView>
      <div className={style['onwards']}>
        <Recorder
          key={recorderKey}
          place={id}
          label={t('voicemail.reply')}
          sending={isOnItsWay}
          disabled={isUnderWay(last?.state)}
          onHold={onHold}
          onSend={(recording) => leave({ to: { id }, recording })}
        />
        <Link className={style['link']} to="/chat/{-$id}" params={{ id }}>
          {t('voicemail.openChat')}
        </Link>
      </div>
    </>
  );
}
