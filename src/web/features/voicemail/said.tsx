import { useState } from 'react';
import type { Citation, Message } from '../../../contract/chat.ts';
import { Markdown } from '../../chat/markdown/markdown.tsx';
import { t } from '../../messages/t.ts';
import { PlainButton } from '../../ui/button.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { PassageDialog } from './passage-dialog.tsx';
import { Sound } from './sound.tsx';
import { isUnderWay, useRetry } from './use-voicemail.ts';
import style from './voicemail.module.css';

interface SaidProps {
  message: Message;
  agentName: string;
  isLast: boolean;
}

/** A message: a recording with its transcript, or an answer, by the agent or by a named person. */
export function Said(props: SaidProps) {
  const { message, agentName } = props;
  const isOwn = message.role === 'user';
  return (
    <li className={style['said']} data-role={message.role}>
      <span className={style['speaker']}>
        <strong>{isOwn ? t('voicemail.you') : (message.author?.name ?? agentName)}</strong>{' '}
        <TimeAgo at={message.createdAt} />
      </span>
      {message.attachments.map((attachment) => (
        <Sound key={attachment.id} conversationId={message.conversationId} attachment={attachment} />
      ))}
      {isOwn ? <Own {...props} /> : <Answer {...props} />}
    </li>
  );
}

function Own({ message: { text }, isLast }: SaidProps) {
  return (
    <>
      {text !== '' && <p className={style['transcript']}>{text}</p>}
      {isLast && (
        <p className={style['hint']}>{t(text === '' ? 'voicemail.unheard' : 'voicemail.unanswered')}</p>
      )}
    </>
  );
}

function Answer({ message, isLast }: SaidProps) {
  const { text, state, error, citations, conversationId } = message;
  const [shown, setShown] = useState<Citation | null>(null);
  const retry = useRetry(conversationId);
  const mayRetry = isLast && (state === 'failed' || state === 'incomplete' || state === 'stopped');
  return (
    <>
      {isUnderWay(state) && text === '' && <p className={style['hint']}>{t('voicemail.answering')}</p>}
      {text !== '' && <Markdown text={text} citations={citations} onCite={setShown} />}
      {error !== null && <p className={style['hint']}>{error}</p>}
      {mayRetry && (
        <PlainButton disabled={retry.isPending} onClick={() => retry.mutate()}>
          {t('ui.retry')}
        </PlainButton>
      )}
      {shown && <PassageDialog citation={shown} onClose={() => setShown(null)} />}
    </>
  );
}
