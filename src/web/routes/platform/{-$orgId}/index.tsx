import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/platform/{-$orgId}/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/platform/{-$orgId}/agent', params, replace: true });
  },
  staticData: { name: 'platform-orgId-index' },
});
