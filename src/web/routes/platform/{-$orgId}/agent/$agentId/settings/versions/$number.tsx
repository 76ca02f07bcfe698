import { createFileRoute } from '@tanstack/react-router';
import { VersionScreen } from '../../../../../../../features/versions/version-screen.tsx';

const isNumber = /^[1-9]\d{0,8}$/;

/** The other version to compare with. */
function searchOf({ with: other }: Record<string, unknown>): { with?: number } {
  return isNumber.test(String(other)) ? { with: Number(other) } : {};
}

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/settings/versions/$number')({
  component: VersionScreen,
  validateSearch: searchOf,
  staticData: {
    name: 'platform-orgId-agent-agentId-settings-versions-number',
    title: 'versions.compare',
    subject: 'version',
    validate: ({ number }) => isNumber.test(number ?? ''),
  },
});
