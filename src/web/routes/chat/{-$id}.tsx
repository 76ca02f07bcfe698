import { createFileRoute } from '@tanstack/react-router';
import { isChatAddress, isConversationId, isLinkToken } from '../../routing/chat-address.ts';
import { ChatScreen } from '../../features/chat/chat-screen.tsx';
import { chatPlaceOf } from '../../features/chat/chat-place.ts';
import { PerPerson } from '../../session/per-person.tsx';
import { publicAgentQuery } from '../../queries/queries.ts';
import { queryClient } from '../../queries/query-client.ts';

export const Route = createFileRoute('/chat/{-$id}')({
  component: () => (
    <PerPerson>
      <ChatScreen />
    </PerPerson>
  ),
  validateSearch: chatPlaceOf,
  loaderDeps: ({ search: { version } }) => ({ version }),
  loader: ({ params: { id }, deps }) => {
    if (id !== undefined && deps.version === undefined) fetchAhead(id);
  },
  staticData: {
    name: 'chat-id',
    title: 'nav.conversations',
    layout: 'chatbot',
    isFirst: true,
    validate: ({ id }) => id === undefined || isChatAddress(id),
  },
});

/** Preloads what the address asks for in parallel with the list. */
function fetchAhead(id: string): void {
  if (isLinkToken(id)) return;
  const isBegun = isConversationId(id);
  const part = isBegun
    ? import('../../features/chat/open-conversation.tsx')
    : import('../../features/chat/new-conversation.tsx');
  // The component that shows it reports a failure.
  part.catch(() => undefined);
  if (!isBegun) void queryClient.prefetchQuery(publicAgentQuery(id));
}
