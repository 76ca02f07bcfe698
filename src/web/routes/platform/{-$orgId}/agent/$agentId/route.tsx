import { createFileRoute } from '@tanstack/react-router';
import { AgentFrame } from '../../../../../features/agent/agent-frame.tsx';
import { PublishBar } from '../../../../../features/versions/publish-bar.tsx';
import { idParameter } from '../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId')({
  component: () => <AgentFrame bar={<PublishBar />} />,
  staticData: {
    name: 'platform-orgId-agent-agentId',
    guards: ['set-chatbot-id'],
    validate: idParameter('agentId', 'agent'),
  },
});
