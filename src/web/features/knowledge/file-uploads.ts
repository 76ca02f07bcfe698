import { KNOWLEDGE_FILE_MAX_BYTES } from '../../../contract/limits.ts';
import type { Failure } from '../../api/failures.ts';
import { laterApi } from '../../api/later-api.ts';
import { formatBytes } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { announceFailure } from '../../queries/query-client.ts';
import { freshToken } from '../../session/session.ts';
import { toast } from '../../toast.ts';
import { UploadQueue } from '../../upload/upload-queue.ts';
import type { UploadTask } from '../../upload/upload-task.ts';

interface Purpose {
  organizationId: string;
  /** What the files are for: an unfinished upload is resumed only for the same. */
  scope: string;
  use: (fileId: string, file: File) => Promise<void>;
  failure: Failure;
  /** Called when nothing is in progress any more and some were used; `isAll`: all of them. */
  onUsed: (count: number, isAll: boolean) => void;
}

/** A queue for one purpose, which continues while the person visits other pages. Successful uploads leave it; failed ones stay with their reason. */
export function createFileUploads({ organizationId, scope, use, failure, onUsed }: Purpose): UploadQueue {
  /** Failures already reported: they stay in the list while more files are added. */
  const told = new WeakSet<UploadTask>();
  const settle = (tasks: readonly UploadTask[]): void => {
    const used = tasks.filter(({ state }) => state === 'success');
    const failed = tasks.filter(({ state }) => state === 'error');
    for (const task of failed) {
      if (told.has(task)) continue;
      told.add(task);
      announceFailure(task.view.get().failure, { failure, quiet: true });
    }
    for (const task of used) queue.dismiss(task);
    if (used.length > 0) onUsed(used.length, failed.length === 0);
  };
  const queue: UploadQueue = new UploadQueue({
    port: {
      scope,
      metadata: { organizationId },
      send: async (file, signal) =>
        (await laterApi.file.upload({ organizationId, media: file }, { signal })).file.id,
      finish: async (uploadId) => (await laterApi.file.finish({ uploadId })).file.id,
      token: freshToken,
    },
    use,
    onIdle: settle,
  });
  askBeforeClosing(queue);
  return queue;
}

/** On whatever page the person is meanwhile: closing the tab would end the uploads. */
function askBeforeClosing(queue: UploadQueue): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  queue.tasks.subscribe(() => {
    if (queue.isBusy) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
}

/** Says so if it isn't. */
export function isSmallEnough(file: File): boolean {
  if (file.size <= KNOWLEDGE_FILE_MAX_BYTES) return true;
  const size = formatBytes(KNOWLEDGE_FILE_MAX_BYTES);
  toast.error({ title: file.name, message: t('knowledge.fileTooLarge', { size }) });
  return false;
}
