import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/platform/{-$orgId}/account/')({
  beforeLoad: ({ params }) => {
    throw redirect({
      to: '/platform/{-$orgId}/account/profile',
      params,
      replace: true,
    });
  },
  staticData: { name: 'platform-orgId-account-index' },
});
