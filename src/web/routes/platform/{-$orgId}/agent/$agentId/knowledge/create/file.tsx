import { createFileRoute } from '@tanstack/react-router';
import { AddFilesScreen } from '../../../../../../../features/knowledge/add-files-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create/file')({
  component: AddFilesScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-create-file',
    title: 'knowledge.addFiles',
    needs: 'agent.write',
  },
});
