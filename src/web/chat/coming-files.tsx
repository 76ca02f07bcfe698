import { IconX } from '@tabler/icons-react';
import { FileChip } from './file-chip.tsx';
import { chooseFiles } from './choose-files.ts';
import style from './files.module.css';
import { t } from './answer-text.ts';
import { TextButton } from '../ui/text-button.tsx';
import { canComeAgain, type ComingFile, type Files } from './use-files.ts';

export interface ComingFilesProps {
  files: Files;
  /** Where focus goes when the focused button is gone. */
  onLeft: () => void;
}

/** The files attached to the next message, and why others can't be. */
export function ComingFiles({ files: { files, objections, add, again, remove }, onLeft }: ComingFilesProps) {
  const failures = files
    .filter(({ state }) => state === 'failed')
    .map(({ name }) => t('chat.fileFailed', { name }));
  return (
    <>
      {files.length > 0 && (
        <ul className={style['files']} aria-label={t('chat.files')}>
          {files.map((file) => (
            <Coming
              key={file.key}
              file={file}
              onAgain={() => {
                again(file);
                onLeft();
              }}
              onChoose={(chosen) => {
                add(chosen, file.key);
                onLeft();
              }}
              onRemove={() => {
                remove(file.key);
                onLeft();
              }}
            />
          ))}
        </ul>
      )}
      <Refusals texts={[...objections, ...failures]} />
    </>
  );
}

interface ComingProps {
  file: ComingFile;
  onAgain: () => void;
  /** Called with the files chosen instead. */
  onChoose: (chosen: Iterable<File>) => void;
  onRemove: () => void;
}

function Coming({ file, onAgain, onChoose, onRemove }: ComingProps) {
  const { name, mediaType, bytes, preview, state, error } = file;
  return (
    <li className={style['waiting']} data-state={state}>
      <FileChip {...{ name, mediaType, bytes, preview }} remark={error} />
      {state === 'sending' && (
        <span className={style['bar']} role="progressbar" aria-label={t('chat.fileComing', { name })} />
      )}
      {canComeAgain(file) && <TextButton text={t('chat.retry')} onClick={onAgain} />}
      {state === 'failed' && !canComeAgain(file) && (
        <TextButton
          text={t('chat.fileChoose')}
          aria-label={t('chat.fileChooseOf', { name })}
          onClick={() => chooseFiles(false, onChoose)}
        />
      )}
      <button
        type="button"
        className={style['remove']}
        aria-label={t('chat.fileRemove', { name })}
        onClick={onRemove}
      >
        <IconX size="0.85em" aria-hidden />
      </button>
    </li>
  );
}

/** Each by name. A long list scrolls, so it must be keyboard-accessible. */
function Refusals({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div className={style['refusals']} role="alert" tabIndex={0}>
      {texts.map((text, place) => (
        <p key={place}>{text}</p>
      ))}
    </div>
  );
}
