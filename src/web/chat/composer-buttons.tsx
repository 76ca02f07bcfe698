import { IconArrowUp, IconMicrophone, IconPaperclip, IconPlayerStopFilled } from '@tabler/icons-react';
import { chooseFiles } from './choose-files.ts';
import style from './composer.module.css';
import { t } from './text.ts';
import type { useDictation } from './use-dictation.ts';

export function AttachButton({ onChoose }: { onChoose: (files: Iterable<File>) => void }) {
  return (
    <button
      type="button"
      className={style['aid']}
      aria-label={t('chat.attach')}
      title={t('chat.attach')}
      onClick={() => chooseFiles(true, onChoose)}
    >
      <IconPaperclip size="1.25em" aria-hidden />
    </button>
  );
}

export function DictateButton({ dictation }: { dictation: ReturnType<typeof useDictation> }) {
  const { state, start, finish } = dictation;
  const isListening = state === 'listening';
  const label = t(isListening ? 'chat.dictateEnd' : 'chat.dictate');
  return (
    <button
      type="button"
      className={style['aid']}
      data-listening={isListening}
      aria-pressed={isListening}
      aria-label={label}
      title={label}
      disabled={state === 'busy'}
      onClick={isListening ? finish : start}
    >
      <IconMicrophone size="1.25em" aria-hidden />
    </button>
  );
}

export function SendButton(props: { disabled: boolean; onClick: () => void }) {
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

export function StopButton(props: { onClick: () => void }) {
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
