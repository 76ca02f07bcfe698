import { createFileRoute } from '@tanstack/react-router';
import { isChatAddress } from '../../chat-address.ts';
import { ChatScreen } from '../../features/chat/chat-screen.tsx';
import { chatPlaceOf } from '../../features/chat/chat-place.ts';
import { PerPerson } from '../../per-person.tsx';

export const Route = createFileRoute('/chat/{-$id}')({
  component: () => (
    <PerPerson>
      <ChatScreen />
    </PerPerson>
  ),
  validateSearch: chatPlaceOf,
  staticData: {
    name: 'chat-id',
    title: 'nav.conversations',
    layout: 'chatbot',
    isFirst: true,
    validate: ({ id }) => id === undefined || isChatAddress(id),
  },
});
