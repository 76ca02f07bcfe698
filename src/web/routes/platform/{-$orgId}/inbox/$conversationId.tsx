import { createFileRoute } from '@tanstack/react-router';
import { InboxConversation } from '../../../../features/inbox/inbox-conversation.tsx';
import { idParameter } from '../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/inbox/$conversationId')({
  component: InboxConversation,
  staticData: {
    name: 'platform-orgId-inbox-conversationId',
    title: 'inbox.conversation',
    validate: idParameter('conversationId', 'conversation'),
  },
});
