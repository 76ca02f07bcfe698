import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Tool } from '../../../contract/tool.ts';
import { laterApi } from '../../api/later-api.ts';
import { awaitAnswer, openWindow } from '../../chat/handing-over.ts';
import { toolQuery } from '../../queries/agent-queries.ts';

/**
 * Connects the member's own account in a window of the service, and uses it to read what the server offers. If one is
 * already connected, it is used at once.
 */
export function useConnect({ agentId, id, serverUrl }: Tool, onRead: () => void) {
  const queryClient = useQueryClient();
  const [url, setUrl] = useState<string>();
  const read = useMutation({
    mutationFn: (answer: { state: string; code: string } | null) =>
      answer
        ? laterApi.toolSignIn.connected({ id, ...answer })
        : laterApi.tool.update({ id, ...(serverUrl !== null && { serverUrl }) }),
    onSuccess: (saved) => {
      queryClient.setQueryData(toolQuery(agentId, id).queryKey, saved);
      onRead();
    },
    onSettled: () => setUrl(undefined),
    meta: { failure: 'updateTool' },
  });
  const begin = useMutation({
    mutationFn: async () => {
      // Opened before any await: later it would not count as a response to a click.
      const popup = openWindow();
      const begun = await laterApi.toolSignIn.connect({ id }).catch((error: unknown) => {
        popup?.close();
        throw error;
      });
      if (begun.url === null) popup?.close();
      else popup?.location.replace(begun.url);
      return begun.url;
    },
    onSuccess: (begun) => (begun === null ? read.mutate(null) : setUrl(begun)),
    meta: { failure: 'updateTool' },
  });
  const { mutate } = read;
  useEffect(() => {
    const state = url === undefined ? null : new URL(url).searchParams.get('state');
    return state === null ? undefined : awaitAnswer(state, mutate);
  }, [url, mutate]);
  return { connect: () => begin.mutate(), isPending: begin.isPending || read.isPending, url };
}
