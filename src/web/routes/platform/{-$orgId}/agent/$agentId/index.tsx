import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/platform/{-$orgId}/agent/$agentId/home', params, replace: true });
  },
  staticData: { name: 'platform-orgId-agent-agentId-index', title: 'nav.agent', subject: 'agent' },
});
