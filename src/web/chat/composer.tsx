import { Suspense } from 'react';
import type { ComingFilesProps } from './coming-files.tsx';
import { AttachButton, DictateButton, SendButton, StopButton } from './composer-buttons.tsx';
import style from './composer.module.css';
import { lazily } from '../ui/later.ts';
import { t } from './text.ts';
import { TextButton } from '../ui/text-button.tsx';
import { TooLong } from './too-long.tsx';
import { useComposer, type ComposerSetup } from './use-composer.ts';

const ComingFiles = lazily<ComingFilesProps>(async () => (await import('./coming-files.tsx')).ComingFiles);

/** Right-to-left names: a placeholder that ends with one and doesn't fit must be cut at the name's end. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc]/u;

interface ComposerProps extends ComposerSetup {
  autoFocus: boolean;
  /** Replaces the default prompt. */
  placeholder: string | undefined;
  onStop: () => void;
}

/** Enter sends, Shift+Enter starts a new line. It grows with its text, up to eight lines. */
export function Composer(props: ComposerProps) {
  const { agent, files, field, autoFocus, answering, placeholder, onStop } = props;
  const { text, setText, dictation, surplus, canSend, hint, ...acts } = useComposer(props);
  // A file alone isn't sent: pressing the button says why.
  const canPress = canSend || (text.trim() === '' && files.files.length > 0);
  return (
    <form
      className={style['composer']}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={acts.onKeyDown}
    >
      <div className={style['box']} data-listening={dictation.state === 'listening'}>
        {files.files.length + files.objections.length > 0 && (
          <Suspense fallback={<p>{files.files.map(({ name }) => name).join(', ')}</p>}>
            <ComingFiles files={files} onLeft={() => field.current?.focus()} />
          </Suspense>
        )}
        <div className={style['row']}>
          {files.offered && <AttachButton onChoose={files.add} />}
          <textarea
            ref={field}
            rows={1}
            className={style['field']}
            autoFocus={autoFocus}
            dir={!placeholder && RIGHT_TO_LEFT.test(agent.name) ? 'rtl' : undefined}
            aria-label={t('chat.message')}
            aria-invalid={surplus > 0}
            placeholder={placeholder ?? t('chat.placeholder', { agent: agent.name })}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onPaste={acts.onPaste}
          />
          {dictation.offered && <DictateButton dictation={dictation} />}
          {answering ? (
            <StopButton onClick={onStop} />
          ) : (
            <SendButton disabled={!canPress} onClick={acts.send} />
          )}
        </div>
      </div>
      <Status {...{ dictation, hint }} onLeft={() => field.current?.focus()} />
      <TooLong surplus={surplus} />
    </form>
  );
}

interface StatusProps extends Pick<ReturnType<typeof useComposer>, 'dictation' | 'hint'> {
  /** Where focus goes when the focused button is gone. */
  onLeft: () => void;
}

/** Rendered before it has content, otherwise screen readers would miss it. */
function Status({ dictation: { state, again }, hint, onLeft }: StatusProps) {
  const tryAgain = () => {
    again();
    onLeft();
  };
  return (
    <>
      <p role="status">
        {state !== 'idle' && t(`chat.dictation-${state}`)}
        {state === 'idle' && hint && t(hint)}
      </p>
      {state === 'held' && <TextButton text={t('chat.retry')} onClick={tryAgain} />}
    </>
  );
}
