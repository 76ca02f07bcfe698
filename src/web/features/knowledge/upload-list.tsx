import { ActionIcon } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { formatBytes, formatNumber } from '../../format.ts';
import { t, type MessageKey } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { useStore } from '../../store.ts';
import { UploadError } from '../../upload/failure.ts';
import type { Remembered } from '../../upload/remembered.ts';
import type { UploadQueue } from '../../upload/upload-queue.ts';
import { allows, hasEnded } from '../../upload/upload-state.ts';
import type { UploadTask } from '../../upload/upload-task.ts';
import style from './upload-list.module.css';

/** Files being uploaded, and interrupted ones; nothing if there are none. */
export function UploadList({ queue }: { queue: UploadQueue }) {
  const tasks = useStore(queue.tasks);
  const waiting = useStore(queue.waiting);
  if (tasks.length + waiting.length === 0) return null;
  return (
    <section aria-label={t('upload.title')}>
      <ul className={style['list']}>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} onDismiss={() => queue.dismiss(task)} />
        ))}
        {waiting.map((upload) => (
          <WaitingRow key={upload.uploadUrl} upload={upload} onForget={() => queue.forget(upload)} />
        ))}
        {queue.left > 0 && (
          <li className={style['row']}>
            {t('upload.left#', { count: queue.left, number: formatNumber(queue.left) })}
          </li>
        )}
      </ul>
    </section>
  );
}

function TaskRow({ task, onDismiss }: { task: UploadTask; onDismiss: () => void }) {
  const { state, sent, isRetrying, failure } = useStore(task.view);
  const { name, size } = task.file;
  return (
    <li className={style['row']}>
      <UploadFacts name={name} size={size} sent={sent} />
      <span className={style['state']} role="status">
        {t(`upload.state.${state}`)}
        {state === 'running' && isRetrying && <span className={style['fault']}>{t('upload.retrying')}</span>}
        {state === 'error' && <span className={style['fault']}>{wordsOf(failure)}</span>}
      </span>
      <span className={style['acts']}>
        {allows(state, 'pause') && (
          <Act label="upload.pause" name={name} icon={IconPlayerPause} onClick={() => task.pause()} />
        )}
        {allows(state, 'resume') && (
          <Act label="upload.resume" name={name} icon={IconPlayerPlay} onClick={() => task.resume()} />
        )}
        {allows(state, 'cancel') && (
          <Act label="upload.cancel" name={name} icon={IconX} onClick={() => task.cancel()} />
        )}
        {hasEnded(state) && <Act label="upload.dismiss" name={name} icon={IconX} onClick={onDismiss} />}
      </span>
    </li>
  );
}

function WaitingRow({ upload, onForget }: { upload: Remembered; onForget: () => void }) {
  const { name, size, sent } = upload;
  return (
    <li className={style['row']}>
      <UploadFacts name={name} size={size} sent={sent} />
      <span className={style['state']}>{t('upload.chooseAgain')}</span>
      <span className={style['acts']}>
        <Act label="upload.dismiss" name={name} icon={IconX} onClick={onForget} />
      </span>
    </li>
  );
}

function UploadFacts({ name, size, sent }: { name: string; size: number; sent: number }) {
  return (
    <div className={style['facts']}>
      <span className={style['name']}>{name}</span>
      <span className={style['size']}>
        {t('upload.sent', { sent: formatBytes(sent), size: formatBytes(size) })}
      </span>
      <progress
        className={style['bar']}
        value={sent}
        max={size}
        aria-label={t('upload.progress', { name })}
      />
    </div>
  );
}

interface ActProps {
  label: MessageKey;
  name: string;
  icon: ComponentType<{ size: string; 'aria-hidden': boolean }>;
  onClick: () => void;
}

function Act({ label, name, icon: Icon, onClick }: ActProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t(label, { name })} onClick={onClick}>
      <Icon size="1.15em" aria-hidden />
    </ActionIcon>
  );
}

function wordsOf(failure: unknown): string {
  if (!(failure instanceof UploadError)) return describeError(failure);
  return failure.code === 'storage/retry-limit-exceeded' ? t('upload.retryLimit') : failure.message;
}
