import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { MESSAGE_MAX_CHARACTERS } from '../../contract/limits.ts';
import { PlainButton } from '../ui/button.tsx';
import style from './composer.module.css';
import { useParts } from './conversation-context.ts';
import { fit } from './fit.ts';
import { t } from './answer-text.ts';
import { TooLong } from './too-long.tsx';
import type { ShownMessage } from './types.ts';

/**
 * Edits one of the person's own messages. Enter sends, Escape leaves everything as it was. A refused edit stays, to be
 * sent again.
 */
export function MessageEditor({ message }: { message: ShownMessage }) {
  const { chat, setEditing } = useParts();
  const [text, setText] = useState(message.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useCaretAtEnd(field);
  const surplus = text.length - MESSAGE_MAX_CHARACTERS;
  const canSend = text.trim() !== '' && surplus <= 0 && chat.activity === 'idle';
  const send = () => {
    if (!canSend) return;
    const close = () => setEditing(null);
    const { id } = message;
    const said = text.trim();
    if (id === null || said === message.text) return close();
    void chat.again({ type: 'edit', messageId: id, text: said }, { type: 'edited', id, text: said }, close);
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
        aria-invalid={surplus > 0}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          fit(currentTarget);
        }}
        onKeyDown={onKeyDown}
      />
      <TooLong surplus={surplus} />
      <div className={style['editorButtons']}>
        <PlainButton onClick={() => setEditing(null)}>{t('chat.cancel')}</PlainButton>
        <PlainButton kind="primary" disabled={!canSend} onClick={send}>
          {t('chat.send')}
        </PlainButton>
      </div>
    </div>
  );
}

/** Places the caret at the end of the text. */
function useCaretAtEnd(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const { current } = field;
    if (!current) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
    fit(current);
  }, [field]);
}
