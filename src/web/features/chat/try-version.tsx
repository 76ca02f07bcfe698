import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api } from '../../api/api.ts';
import { t } from '../../messages/t.ts';
import { describeError } from '../../queries/query-client.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import './messages.ts';

interface TryVersionProps {
  agentId: string;
  version: number | 'draft';
}

/** Opens a separate conversation with a version of an agent; only members who see the agent can. */
export function TryVersion({ agentId, version }: TryVersionProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const begin = useMutation({
    mutationFn: async () => (await api.chat.create({ chatbotId: agentId, version })).conversation,
    onSuccess: (made) => {
      queryClient.setQueryData(['conversation', made.id], made);
      void navigate({ to: '/chat/{-$id}', params: { id: made.id }, search: {}, replace: true });
    },
    meta: { failure: 'createConversation', quiet: true },
  });
  const { mutate } = begin;
  useEffect(() => mutate(), [mutate]);
  if (begin.error) return <ErrorState message={describeError(begin.error)} onRetry={() => mutate()} />;
  return (
    <div role="status" aria-label={t('chats.openingVersion')}>
      <Skeleton shape="line" />
    </div>
  );
}
