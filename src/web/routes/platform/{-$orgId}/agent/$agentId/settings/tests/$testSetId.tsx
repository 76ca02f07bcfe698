import { createFileRoute } from '@tanstack/react-router';
import { TestSetScreen } from '../../../../../../../features/tests/test-set-screen.tsx';
import { idParameter } from '../../../../../../../routing/valid-id.ts';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/tests/$testSetId')({
  component: TestSetScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-settings-tests-testSetId',
    title: 'tests.questions',
    subject: 'testSet',
    validate: idParameter('testSetId', 'testSet'),
  },
});
