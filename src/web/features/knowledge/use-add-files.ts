import { useEffect, useRef } from 'react';
import { KNOWLEDGE_FILE_MAX_BYTES } from '../../../contract/limits.ts';
import { laterApi } from '../../api/later-api.ts';
import { formatBytes } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { announceFailure, queryClient } from '../../queries/query-client.ts';
import { freshToken } from '../../session/session.ts';
import { createStore, useStore, type Store } from '../../store.ts';
import { toast } from '../../toast.ts';
import { UploadQueue } from '../../upload/upload-queue.ts';
import type { UploadTask } from '../../upload/upload-task.ts';
import { hasEnded } from '../../upload/upload-state.ts';
import { readListAgain } from './use-add-knowledge.ts';

interface AgentUploads {
  queue: UploadQueue;
  /** Counts how often everything given has been added. */
  rounds: Store<number>;
}

/** One queue per agent, which continues while the person visits other pages. */
const uploadsOf = new Map<string, AgentUploads>();

/** Uploads files, each as its own item. A failure doesn't stop the others. */
export function useAddFiles(organizationId: string, agentId: string) {
  const { queue, rounds } = agentUploads(organizationId, agentId);
  const tasks = useStore(queue.tasks);
  return {
    queue,
    rounds,
    isPending: tasks.some(({ state }) => !hasEnded(state)),
    mutate: (files: readonly File[]): void => queue.add(files.filter(isSmallEnough)),
  };
}

/** Calls `then` each time everything given has been added. */
export function useWhenAdded(rounds: Store<number>, then: () => void): void {
  const count = useStore(rounds);
  const seen = useRef(count);
  useEffect(() => {
    if (seen.current === count) return;
    seen.current = count;
    then();
  });
}

function agentUploads(organizationId: string, agentId: string): AgentUploads {
  const known = uploadsOf.get(agentId);
  if (known) return known;
  const rounds = createStore(0);
  const queue: UploadQueue = new UploadQueue({
    port: {
      scope: agentId,
      metadata: { organizationId },
      send: async (file, signal) =>
        (await laterApi.file.upload({ organizationId, media: file }, { signal })).file.id,
      finish: async (uploadId) => (await laterApi.file.finish({ uploadId })).file.id,
      token: freshToken,
    },
    use: (fileId, file) => addItem({ organizationId, agentId, fileId, name: file.name }),
    onIdle: (tasks) => settle(queue, rounds, tasks),
  });
  const made = { queue, rounds };
  uploadsOf.set(agentId, made);
  askBeforeClosing(queue);
  return made;
}

/** On whatever page the person is meanwhile: closing the tab would end the uploads. */
function askBeforeClosing(queue: UploadQueue): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  queue.tasks.subscribe(() => {
    if (queue.isBusy) addEventListener('beforeunload', ask);
    else removeEventListener('beforeunload', ask);
  });
}

async function addItem(item: {
  organizationId: string;
  agentId: string;
  fileId: string;
  name: string;
}): Promise<void> {
  const { organizationId, agentId, fileId, name } = item;
  await laterApi.knowledge.create({
    id: agentId,
    organizationId,
    type: 'file',
    description: name,
    files: [fileId],
  });
  await readListAgain(queryClient, agentId);
}

/** Failures already reported: they stay in the list while more files are added. */
const told = new WeakSet<UploadTask>();

/** Successful uploads leave the list; failed ones stay with their reason. */
function settle(queue: UploadQueue, rounds: Store<number>, tasks: readonly UploadTask[]): void {
  const added = tasks.filter(({ state }) => state === 'success');
  const failed = tasks.filter(({ state }) => state === 'error');
  for (const task of failed) {
    if (told.has(task)) continue;
    told.add(task);
    announceFailure(task.view.get().failure, { failure: 'createKnowledge', quiet: true });
  }
  for (const task of added) queue.dismiss(task);
  if (added.length === 0) return;
  toast.success({ title: t('knowledge.filesAdded#', { count: added.length }) });
  if (failed.length === 0) rounds.set(rounds.get() + 1);
}

function isSmallEnough(file: File): boolean {
  if (file.size <= KNOWLEDGE_FILE_MAX_BYTES) return true;
  const size = formatBytes(KNOWLEDGE_FILE_MAX_BYTES);
  toast.error({ title: file.name, message: t('knowledge.fileTooLarge', { size }) });
  return false;
}
