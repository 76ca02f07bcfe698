import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MessageState } from '../../../contract/chat.ts';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api.ts';
import { newKey } from '../../chat/new-key.ts';
import { t } from '../../messages/t.ts';
import { ensureSignedIn, sessionState } from '../../session.ts';
import { listen } from '../../socket.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../toast.ts';

const listKey = ['voicemail'];
const PAGE_SIZE = 20;
/** The newest that are shown of one exchange. */
const MESSAGES_SHOWN = 100;
/** While an answer is being made and no socket says so. */
const LOOK_AGAIN_MS = 2000;

export function useVoicemails() {
  const isSignedIn = useStore(sessionState).status === 'signed-in';
  return useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam, signal }) =>
      api.chat.list({ kind: 'voicemail', begun: 'true', count: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled: isSignedIn,
    meta: { failure: 'getConversations', quiet: true },
  });
}

/** What was said in one, read again when something has come to it. */
export function useMessages(id: string) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const read = () => void queryClient.invalidateQueries({ queryKey: messagesKey(id) });
    return listen('conversation.updated', (event) => event.conversationId === id && read(), read);
  }, [id, queryClient]);
  return useQuery({
    queryKey: messagesKey(id),
    queryFn: async ({ signal }) => {
      const newest = { id, count: MESSAGES_SHOWN, orderBy: 'desc' } as const;
      return (await api.chat.listMessages(newest, { signal })).messages.toReversed();
    },
    refetchInterval: ({ state }) => (isUnderWay(state.data?.at(-1)?.state) ? LOOK_AGAIN_MS : false),
    meta: { failure: 'getConversation', quiet: true },
  });
}

const messagesKey = (id: string) => ['voicemail-messages', id];

export function isUnderWay(state: MessageState | undefined): boolean {
  return state === 'pending' || state === 'streaming';
}

/**
 * Leaves a recording in a conversation, or in a new one with an agent. Tried again, it is the same new one, and what arrived
 * although no answer to it did is not left twice.
 */
export function useLeave() {
  const queryClient = useQueryClient();
  const begun = useRef<{ agentId: string; id: string } | null>(null);
  const keys = useKeys();
  const begin = async (agentId: string) => {
    if (begun.current?.agentId === agentId) return begun.current.id;
    const { id } = (await api.chat.create({ chatbotId: agentId, kind: 'voicemail' })).conversation;
    begun.current = { agentId, id };
    return id;
  };
  return useMutation({
    mutationFn: async ({ to, recording }: { to: { id: string } | { agentId: string }; recording: Blob }) => {
      await ensureSignedIn();
      const id = 'id' in to ? to.id : await begin(to.agentId);
      const media = new File([recording], 'message', { type: recording.type });
      const headers = { 'idempotency-key': keys.of(recording, id) };
      await api.voice.leave({ id, media }, { headers });
      begun.current = null;
      return id;
    },
    onSuccess: (id) => {
      toast.success({ title: t('voicemail.sent') });
      return queryClient.invalidateQueries({ queryKey: messagesKey(id) });
    },
    onError: (error) => {
      // Whoever reads that goes by what is listed; sent once more, it is meant so.
      if (error instanceof ApiError && error.code === 'idempotency/answer-lost') keys.forget();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: listKey }),
    meta: { failure: 'createConversation' },
  });
}

/** One key for each recording and where it goes. */
function useKeys() {
  const last = useRef<{ recording: Blob; id: string; key: string } | null>(null);
  return {
    of: (recording: Blob, id: string): string => {
      if (last.current?.recording !== recording || last.current.id !== id)
        last.current = { recording, id, key: newKey() };
      return last.current.key;
    },
    forget: () => {
      last.current = null;
    },
  };
}

/** Has the last message answered again. */
export function useRetry(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.chat.retry({ id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: messagesKey(id) }),
    meta: { failure: 'updateConversation' },
  });
}

/** The bytes of a recording, read by `refetch` when somebody wants to hear it. */
export function useSound(conversationId: string, attachmentId: string) {
  return useQuery({
    queryKey: ['attachment', conversationId, attachmentId],
    queryFn: async ({ signal }) =>
      (await api.attachment.content({ id: conversationId, attachmentId }, { signal })).data,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'getConversation' },
  });
}
