import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { MESSAGE_MAX_CHARACTERS } from '../../contract/limits.ts';
import { PlainButton } from '../ui/button.tsx';
import style from './composer.module.css';
import { useParts } from './conversation-context.ts';
import { fit } from './fit.ts';
import { t } from './answer-text.ts';
import type { ShownMessage } from './types.ts';

/** Writes something one has said anew. Enter sends, Escape leaves everything as it was. */
export function MessageEditor({ message }: { message: ShownMessage }) {
  const { chat, setEditing } = useParts();
  const [text, setText] = useState(message.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = field;
    if (!current) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
    fit(current);
  }, []);
  const canSend = text.trim() !== '' && text.length <= MESSAGE_MAX_CHARACTERS && chat.activity === 'idle';
  const send = () => {
    if (!canSend) return;
    setEditing(null);
    if (text.trim() !== message.text) void chat.edit(message, text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      setEditing(null);
    }
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={style['editor']}>
      <textarea
        ref={field}
        rows={1}
        className={style['field']}
        aria-label={t('chat.editLabel')}
        aria-invalid={text.length > MESSAGE_MAX_CHARACTERS}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          fit(currentTarget);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={style['editorButtons']}>
        <PlainButton onClick={() => setEditing(null)}>{t('chat.cancel')}</PlainButton>
        <PlainButton kind="primary" disabled={!canSend} onClick={send}>
          {t('chat.send')}
        </PlainButton>
      </div>
    </div>
  );
}
