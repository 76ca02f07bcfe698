import { createFileRoute } from '@tanstack/react-router';
import { ConversationsScreen } from '../../../../../features/improvement/conversations-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/conversations')({
  component: ConversationsScreen,
  validateSearch: (search: Record<string, unknown>) => search,
  staticData: {
    name: 'platform-orgId-agent-agentId-conversations',
    title: 'improvement.conversationsTitle',
  },
});
