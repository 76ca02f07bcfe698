import {
  useEffect,
  useLayoutEffect,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { MESSAGE_MAX_CHARACTERS } from '../../contract/limits.ts';
import { fit } from './fit.ts';
import { newKey } from './new-key.ts';
import type { ChatAgent, ChatTransport, Sending } from './types.ts';
import { useDictation } from './use-dictation.ts';
import { useDraft } from './use-draft.ts';
import type { Files } from './use-files.ts';

export interface ComposerSetup {
  agent: ChatAgent;
  transport: ChatTransport;
  files: Files;
  field: RefObject<HTMLTextAreaElement | null>;
  /** The key under which a draft is kept until it is sent. */
  draftKey: string | undefined;
  /** True while an answer is coming in: the stop button replaces the send button. */
  answering: boolean;
  disabled: boolean;
  /** True until it is known what the conversation contains and whether an answer is in progress. */
  starting: boolean;
  /** A sent message that was refused: it is put back, unless something else has been written. */
  refused: Sending | undefined;
  onSend: (message: Sending) => void;
  /** Called by the up arrow in an empty field. */
  onEditLast: () => void;
}

/** Why Enter did not send. */
type Hint = 'chat.notYet' | 'chat.fileAlone' | undefined;

/** The draft, and what the keys do. */
export function useComposer(setup: ComposerSetup) {
  const { files, field, draftKey, answering, disabled, starting, refused } = setup;
  const [text, setText] = useDraft(draftKey);
  const dictation = useDictation(setup);
  const surplus = text.length - MESSAGE_MAX_CHARACTERS;
  const isWhole = files.files.every(({ state }) => state === 'ready') && dictation.state !== 'busy';
  const canSend = !disabled && !answering && isWhole && surplus <= 0 && text.trim() !== '';
  useFitting(field);

  useEffect(() => {
    if (!refused || field.current?.value !== '') return;
    setText(refused.text);
    if (refused.attachments.length > 0) files.putBack();
    // Once per refusal; the others change with every key.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [refused]);

  // If Enter was pressed during loading, or while files were uploading, the message is sent afterwards, unless
  // something else has been written by then.
  const isComing = starting || files.files.some(({ state }) => state === 'sending');
  const [wanted, setWanted] = useState<string | null>(null);
  useEffect(() => {
    if (wanted === null) return;
    if (wanted === text && canSend) send();
    else if (wanted !== text || !isComing) setWanted(null);
    // The conditions it waits for; the others change with every key.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [wanted, text, canSend, isComing]);

  const [hint, setHint] = useState<Hint>();
  if (hint === 'chat.notYet' ? !answering : hint && text !== '') setHint(undefined);

  const send = () => {
    setHint(hintFor(setup, text));
    setWanted(canSend || !isComing ? null : text);
    if (!canSend) return;
    // The recording belongs to the message, and is transcribed only now.
    if (dictation.isRecording) return dictation.finish();
    // The speech is in the text being sent.
    dictation.cancel();
    setup.onSend({ key: newKey(), text: text.trim(), attachments: files.take() });
    setText('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && dictation.state === 'listening') {
      event.stopPropagation();
      return dictation.cancel();
    }
    if (event.target !== field.current) return;
    if (event.key === 'ArrowUp' && text === '') return setup.onEditLast();
    // During IME composition, Enter selects a character.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    if (!files.offered || !holdsFiles(event.clipboardData)) return;
    event.preventDefault();
    files.add(event.clipboardData.files);
  };
  return { text, setText, dictation, surplus, canSend, hint, send, onKeyDown, onPaste };
}

function hintFor({ answering, starting, files }: ComposerSetup, text: string): Hint {
  if (text.trim() === '') return files.files.length > 0 ? 'chat.fileAlone' : undefined;
  return answering && !starting ? 'chat.notYet' : undefined;
}

/** Also runs when the page width changes or the field becomes visible: the text then wraps differently. */
function useFitting(field: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    if (field.current) fit(field.current);
  });
  useEffect(() => {
    const refit = () => field.current && fit(field.current);
    addEventListener('resize', refit);
    return () => removeEventListener('resize', refit);
  }, [field]);
}

/** Programs add a picture to copied text, and file names to copied files: longer text is what was meant. */
function holdsFiles(clipboard: DataTransfer): boolean {
  const names = [...clipboard.files].map(({ name }) => name);
  const lines = clipboard.getData('text/plain').split(/\r\n?|\n/);
  return names.length > 0 && lines.every((line) => line === '' || names.some((name) => line.endsWith(name)));
}
