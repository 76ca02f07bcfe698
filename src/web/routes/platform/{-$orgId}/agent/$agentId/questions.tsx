import { createFileRoute } from '@tanstack/react-router';
import { QuestionsScreen } from '../../../../../features/improvement/questions-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/questions')({
  component: QuestionsScreen,
  validateSearch: ({ view, cluster }): { view?: unknown; cluster?: unknown } => ({ view, cluster }),
  staticData: { name: 'platform-orgId-agent-agentId-questions', title: 'improvement.title' },
});
