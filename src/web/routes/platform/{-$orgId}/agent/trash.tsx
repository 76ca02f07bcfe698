import { createFileRoute } from '@tanstack/react-router';
import { TrashScreen } from '../../../../features/agents/trash-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/trash')({
  component: TrashScreen,
  staticData: { name: 'platform-orgId-agent-trash', title: 'keeping.trash' },
});
