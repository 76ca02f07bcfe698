import { createFileRoute } from '@tanstack/react-router';
import { LaterPage } from '../../../../../layouts/later-page.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/setup')({
  component: LaterPage,
  staticData: {
    name: 'platform-orgId-agent-agentId-setup',
    title: 'later.setup',
    purpose: 'later.setupPurpose',
  },
});
