import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/platform/{-$orgId}/agent/$agentId/settings/instructions', params, replace: true });
  },
  staticData: { name: 'platform-orgId-agent-agentId-settings', title: 'settings.title' },
});
