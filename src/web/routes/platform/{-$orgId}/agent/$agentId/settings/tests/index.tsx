import { createFileRoute } from '@tanstack/react-router';
import { TestsScreen } from '../../../../../../../features/tests/tests-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/tests/')({
  component: TestsScreen,
  staticData: { name: 'platform-orgId-agent-agentId-settings-tests', title: 'tests.title' },
});
