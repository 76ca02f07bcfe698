import { createFileRoute } from '@tanstack/react-router';
import { isChatAddress } from '../../chat-address.ts';
import { ChatScreen } from '../../features/chat/chat-screen.tsx';

export const Route = createFileRoute('/chat/{-$id}')({
  component: ChatScreen,
  staticData: {
    name: 'chat-id',
    title: 'nav.conversations',
    layout: 'chatbot',
    validate: ({ id }) => id === undefined || isChatAddress(id),
  },
});
