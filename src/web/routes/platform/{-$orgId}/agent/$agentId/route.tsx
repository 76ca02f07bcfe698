import { createFileRoute } from '@tanstack/react-router';
import { AgentFrame } from '../../../../../features/agent/agent-frame.tsx';
import { idParameter } from '../../../../../valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId')({
  component: AgentFrame,
  staticData: {
    name: 'platform-orgId-agent-agentId',
    guards: ['set-chatbot-id'],
    validate: idParameter('agentId', 'agent'),
  },
});
