import { IconX } from '@tabler/icons-react';
import { FileChip } from './file-chip.tsx';
import { chooseFiles } from './choose-files.ts';
import style from './files.module.css';
import { t } from './answer-text.ts';
import { TextButton } from '../ui/text-button.tsx';
import { canComeAgain, type ComingFile, type Files } from './use-files.ts';

export interface ComingFilesProps {
  files: Files;
  /** Where the focus goes when the button that held it is gone. */
  onLeft: () => void;
}

/** The files that come along with the next message, and why others don't. */
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
  /** Told of what was chosen in its place. */
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

/** Each by name. Many of them are scrolled through, so keyboards must reach them. */
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
