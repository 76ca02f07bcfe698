import { IconX } from '@tabler/icons-react';
import { FileChip } from './file-chip.tsx';
import style from './files.module.css';
import { t } from './text.ts';
import type { Files } from './use-files.ts';

export interface ComingFilesProps {
  files: Files;
  /** Where the focus goes when the file that held it is gone. */
  onRemoved: () => void;
}

/** The files that come along with the next message, and why others don't. */
export function ComingFiles({ files: { files, objections, remove }, onRemoved }: ComingFilesProps) {
  const failures = files
    .filter(({ state }) => state === 'failed')
    .map(({ name }) => t('chat.fileFailed', { name }));
  return (
    <>
      {files.length > 0 && (
        <ul className={style['files']} aria-label={t('chat.files')}>
          {files.map(({ key, name, mediaType, bytes, preview, state, error }) => (
            <li key={key} className={style['waiting']} data-state={state}>
              <FileChip {...{ name, mediaType, bytes, preview }} remark={error} />
              {state === 'sending' && (
                <span
                  className={style['bar']}
                  role="progressbar"
                  aria-label={t('chat.fileComing', { name })}
                />
              )}
              <button
                type="button"
                className={style['remove']}
                aria-label={t('chat.fileRemove', { name })}
                onClick={() => {
                  remove(key);
                  onRemoved();
                }}
              >
                <IconX size="0.85em" aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Refusals texts={[...objections, ...failures]} />
    </>
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
