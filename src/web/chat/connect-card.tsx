import { useEffect, useId, useState, type SubmitEvent } from 'react';
import type { MessageToolCall } from '../../contract/chat.ts';
import { useParts } from './conversation-context.ts';
import { awaitAnswer, openWindow, readAnswer, type ServiceAnswer } from './handing-over.ts';
import { t } from './answer-text.ts';
import style from './tool-calls.module.css';
import type { ShownMessage } from './types.ts';
import { useToolActs } from './use-tool-acts.ts';

interface CardProps {
  message: ShownMessage;
  call: MessageToolCall;
}

/** A call that needs the person's own account at a service: they connect it in a separate window, or decline. */
export function ConnectCard({ message, call }: CardProps) {
  const { chat } = useParts();
  const acts = useToolActs();
  const { tool, summary, service } = call;
  const [url, setUrl] = useState<string>();
  const canSay = chat.activity === 'idle';
  const name = service ?? tool;
  const take = (answer: ServiceAnswer) => void acts.connected(message, call.id, answer);
  useAnswer(url, take);
  const connect = () => {
    // Opened before any await: later it would not count as a response to a click.
    const popup = openWindow();
    void acts.connect(message, call.id).then(
      (begun) => {
        if (!begun) return popup?.close();
        popup?.location.replace(begun);
        setUrl(begun);
      },
      () => popup?.close(),
    );
  };
  return (
    <section data-asks className={style['question']} aria-label={t('chat.connectAsks', { service: name })}>
      <p className={style['summary']}>{t('chat.connectAsks', { service: name })}</p>
      <p className={style['state']}>{t('chat.connectFor', { tool, summary: summary || tool })}</p>
      {url !== undefined && <ByHand url={url} service={name} disabled={!canSay} take={take} />}
      <p className={style['buttons']}>
        <button type="button" className={style['allow']} disabled={!canSay} onClick={connect}>
          {url === undefined ? t('chat.connect') : t('chat.connectAgain')}
        </button>
        <button
          type="button"
          className={style['deny']}
          disabled={!canSay}
          onClick={() => void acts.decide(message, call.id, 'deny')}
        >
          {t('chat.connectNot')}
        </button>
      </p>
    </section>
  );
}

function useAnswer(url: string | undefined, take: (answer: ServiceAnswer) => void): void {
  useEffect(() => {
    const state = url === undefined ? null : new URL(url).searchParams.get('state');
    return state === null ? undefined : awaitAnswer(state, take);
    // Waits for each login once; `take` changes with every word of the conversation.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [url]);
}

interface ByHandProps {
  url: string;
  service: string;
  disabled: boolean;
  take: (answer: ServiceAnswer) => void;
}

/** For when windows are blocked or can't find their way back: the page as a link, and its final text pasted by hand. */
function ByHand({ url, service, disabled, take }: ByHandProps) {
  const id = useId();
  const [text, setText] = useState('');
  const answer = readAnswer(text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (answer) take(answer);
  };
  return (
    <form className={style['byHand']} onSubmit={submit}>
      <p className={style['state']} role="status">
        {t('chat.connectWaits', { service })}{' '}
        <a href={url} target="_blank" rel="noopener noreferrer">
          {t('chat.connectOpen')}
        </a>
      </p>
      <label htmlFor={id}>{t('chat.connectCode')}</label>
      <span className={style['field']}>
        <input
          id={id}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" disabled={disabled || !answer}>
          {t('chat.connectGoOn')}
        </button>
      </span>
    </form>
  );
}
