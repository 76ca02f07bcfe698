import { createFileRoute } from '@tanstack/react-router';
import { idParameter } from '../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}')({
  staticData: {
    name: 'platform-orgId',
    guards: ['organization-redirect'],
    validate: idParameter('orgId', 'organization'),
  },
});
