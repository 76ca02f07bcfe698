import { createFileRoute } from '@tanstack/react-router';
import { placeOf } from '../../../../../../../features/tools/place.ts';
import { ToolScreen } from '../../../../../../../features/tools/tool-screen.tsx';
import { idParameter } from '../../../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/plugins/tool/$toolId')({
  component: () => <ToolScreen view={Route.useSearch().view} />,
  validateSearch: placeOf,
  staticData: {
    name: 'platform-orgId-agent-agentId-plugins-tool-toolId',
    title: 'tools.tool',
    subject: 'tool',
    validate: idParameter('toolId', 'tool'),
  },
});
