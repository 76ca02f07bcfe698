import { IconArrowUp, IconPlayerStopFilled } from '@tabler/icons-react';
import { useRef, useState, type ChangeEvent, type KeyboardEvent } from 'react';
import { MESSAGE_MAX_CHARACTERS } from '../../contract/limits.ts';
import style from './composer.module.css';
import { t } from './text.ts';

interface ComposerProps {
  agentName: string;
  autoFocus: boolean;
  /** True while an answer is coming: the stop button is where send was. */
  answering: boolean;
  disabled: boolean;
  onSend: (text: string) => void;
  onStop: () => void;
}

/** Enter sends, Shift+Enter breaks the line. It grows with its text, up to eight lines. */
export function Composer({ agentName, autoFocus, answering, disabled, onSend, onStop }: ComposerProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const surplus = text.length - MESSAGE_MAX_CHARACTERS;
  const canSend = !disabled && !answering && surplus <= 0 && text.trim() !== '';

  const send = () => {
    if (!canSend) return;
    onSend(text.trim());
    setText('');
    field.current?.style.removeProperty('height');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a character.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onChange = ({ currentTarget }: ChangeEvent<HTMLTextAreaElement>) => {
    setText(currentTarget.value);
    fit(currentTarget);
  };
  return (
    <form className={style['composer']} onSubmit={(event) => event.preventDefault()}>
      <div className={style['box']}>
        <textarea
          ref={field}
          rows={1}
          className={style['field']}
          autoFocus={autoFocus}
          aria-label={t('chat.message')}
          aria-invalid={surplus > 0}
          placeholder={t('chat.placeholder', { agent: agentName })}
          value={text}
          onChange={onChange}
          onKeyDown={onKeyDown}
        />
        {answering ? <StopButton onClick={onStop} /> : <SendButton disabled={!canSend} onClick={send} />}
      </div>
      {surplus > 0 && (
        <p className={style['surplus']} role="alert">
          {t('chat.tooLong', { count: surplus })}
        </p>
      )}
    </form>
  );
}

function SendButton(props: { disabled: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      className={style['button']}
      aria-label={t('chat.send')}
      title={t('chat.send')}
      {...props}
    >
      <IconArrowUp size="1.25em" aria-hidden />
    </button>
  );
}

function StopButton(props: { onClick: () => void }) {
  return (
    <button
      type="button"
      className={style['button']}
      aria-label={t('chat.stop')}
      title={t('chat.stop')}
      {...props}
    >
      <IconPlayerStopFilled size="1em" aria-hidden />
    </button>
  );
}

/** As high as its text; the style sheet sets the limit. */
function fit(field: HTMLTextAreaElement): void {
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}
