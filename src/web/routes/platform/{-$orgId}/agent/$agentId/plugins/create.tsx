import { createFileRoute } from '@tanstack/react-router';
import { Catalog } from '../../../../../../features/plugins/catalog.tsx';
import { AddToolScreen } from '../../../../../../features/tools/add-tool-screen.tsx';
import { choiceOf } from '../../../../../../features/tools/place.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/create')({
  component: () => <AddToolScreen kind={Route.useSearch().kind} plugins={<Catalog />} />,
  validateSearch: choiceOf,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-create',
    title: 'tools.add',
    needs: 'agent.write',
  },
});
