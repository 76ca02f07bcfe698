import { useEffect, useRef } from 'react';
import { laterApi } from '../../api/later-api.ts';
import { t } from '../../messages/t.ts';
import { queryClient } from '../../queries/query-client.ts';
import { createStore, useStore, type Store } from '../../store.ts';
import { toast } from '../../toast.ts';
import type { UploadQueue } from '../../upload/upload-queue.ts';
import { hasEnded } from '../../upload/upload-state.ts';
import { createFileUploads, isSmallEnough } from './file-uploads.ts';
import { readListAgain } from './use-add-knowledge.ts';

interface AgentUploads {
  queue: UploadQueue;
  /** Counts how often everything given has been added. */
  rounds: Store<number>;
}

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
  const queue = createFileUploads({
    organizationId,
    scope: agentId,
    use: (fileId, { name }) => addItem({ organizationId, agentId, fileId, name }),
    failure: 'createKnowledge',
    onUsed: (count, isAll) => {
      toast.success({ title: t('knowledge.filesAdded#', { count }) });
      if (isAll) rounds.set(rounds.get() + 1);
    },
  });
  const made = { queue, rounds };
  uploadsOf.set(agentId, made);
  return made;
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
