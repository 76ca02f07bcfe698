import { createFileRoute } from '@tanstack/react-router';
import { AddToolScreen } from '../../../../../../features/tools/add-tool-screen.tsx';
import { choiceOf } from '../../../../../../features/tools/place.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/create')({
  component: () => <AddToolScreen kind={Route.useSearch().kind} />,
  validateSearch: choiceOf,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-create',
    title: 'tools.add',
    needs: 'agent.write',
  },
});
