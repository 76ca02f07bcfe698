import { useState, type KeyboardEvent } from 'react';
import { CONVERSATION_TITLE_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { t } from '../../messages/t.ts';
import style from './chat.module.css';

interface TitleInputProps {
  title: string;
  /** Called with the new title, or the old one if unchanged. */
  onEnd: (title: string) => void;
}

/** Edits a title in place: Enter and blur save it, Escape doesn't. */
export function TitleInput({ title, onEnd }: TitleInputProps) {
  const [text, setText] = useState(title);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnd(text.trim());
    if (event.key === 'Escape') onEnd(title);
  };
  return (
    <input
      autoFocus
      className={style['titleInput']}
      aria-label={t('chats.titleLabel')}
      maxLength={CONVERSATION_TITLE_MAX_CHARACTERS}
      value={text}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onEnd(text.trim())}
    />
  );
}
