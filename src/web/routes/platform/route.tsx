import { createFileRoute } from '@tanstack/react-router';

export const Route = createFileRoute('/platform')({
  staticData: { name: 'platform-frame', layout: 'app-view', guards: ['is-auth'] },
});
