import {
  useInfiniteQuery,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { MessageState } from '../../../contract/chat.ts';
import { ApiError } from '../../../contract/client.ts';
import { api } from '../../api/api.ts';
import { newKey } from '../../chat/new-key.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { ensureSignedIn, sessionState } from '../../session/session.ts';
import { listen } from '../../socket.ts';
import { forgetSpoken } from '../../chat/spoken.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../toast.ts';

const listKey = ['voicemail'];
const PAGE_SIZE = 20;
/** The number of newest messages shown per exchange. */
const MESSAGES_SHOWN = 100;
/** For an answer in progress while the socket is disconnected. */
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

/** An exchange's messages, reloaded when something is added. */
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

type Target = { id: string } | { agentId: string };

/** A new conversation without a message yet, and its owner. */
let begun: { uid: string | undefined; agentId: string; id: string } | null = null;

/** Recordings sent or being sent, by conversation. */
const leaving = new WeakMap<Blob, { to: string; left: Promise<string> }>();
const keys = new WeakMap<Blob, { id: string; key: string }>();

/**
 * Leaves a recording in a conversation, or in a new one with an agent. A retry, even by a person signed out meanwhile,
 * uses the same new conversation, and a recording that arrived or is on its way is not sent twice. Completes once the
 * recording has arrived, not after the lists are reloaded: until then the recording is kept under its key, and offered
 * again, even to a person who has left the page meanwhile.
 */
export function useLeave(place: string) {
  const queryClient = useQueryClient();
  const mutationKey = ['leave-voicemail', place];
  const { mutateAsync, isPending } = useMutation({
    mutationKey,
    mutationFn: async ({ to, recording }: { to: Target; recording: Blob }) => {
      const id = await leaveOnce(to, recording);
      await forgetSpoken(place, recording);
      return id;
    },
    onSuccess: (id) => {
      toast.success({ title: t('voicemail.sent') });
      void queryClient.invalidateQueries({ queryKey: messagesKey(id) });
    },
    onError: (error, { recording }) => {
      // A person who reads this checks the list; sending again is then deliberate.
      if (error instanceof ApiError && error.code === 'idempotency/answer-lost') keys.delete(recording);
      toast.error({ title: t('voicemail.unsent'), message: describeError(error) });
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: listKey }),
    meta: { failure: 'createConversation', quiet: true },
  });
  const isOnItsWay = useIsMutating({ mutationKey }) > 0;
  /** A send begun before the page was left: once it ends, the stored recording is checked again. */
  const recorderKey = isOnItsWay && !isPending ? 'before' : 'now';
  return { leave: mutateAsync, isOnItsWay, recorderKey };
}

function leaveOnce(target: Target, recording: Blob): Promise<string> {
  const to = JSON.stringify(target);
  const known = leaving.get(recording);
  if (known?.to === to) return known.left;
  const left = leave(target, recording);
  leaving.set(recording, { to, left });
  left.catch(() => leaving.delete(recording));
  return left;
}

async function leave(to: Target, recording: Blob): Promise<string> {
  await ensureSignedIn();
  const id = 'id' in to ? to.id : await begin(to.agentId);
  const media = new File([recording], 'message', { type: recording.type });
  await api.voice.leave({ id, media }, { headers: { 'idempotency-key': keyOf(recording, id) } });
  if (begun?.id === id) begun = null;
  return id;
}

async function begin(agentId: string): Promise<string> {
  const uid = sessionState.get().user?.uid;
  if (begun?.agentId !== agentId || begun.uid !== uid) {
    const { id } = (await api.chat.create({ chatbotId: agentId, kind: 'voicemail' })).conversation;
    begun = { uid, agentId, id };
  }
  return begun.id;
}

function keyOf(recording: Blob, id: string): string {
  const known = keys.get(recording);
  const key = known?.id === id ? known.key : newKey();
  keys.set(recording, { id, key });
  return key;
}

/** Requests a new answer to the last message. */
export function useRetry(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.chat.retry({ id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: messagesKey(id) }),
    meta: { failure: 'updateConversation' },
  });
}

/** A recording's bytes, loaded by `refetch` when somebody wants to hear it. */
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
