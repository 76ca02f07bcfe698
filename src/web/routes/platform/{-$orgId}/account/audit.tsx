import { createFileRoute } from '@tanstack/react-router';
import { AuditScreen } from '../../../../features/audit/audit-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/audit')({
  component: AuditScreen,
  staticData: {
    name: 'platform-orgId-account-audit',
    title: 'audit.title',
    needs: 'organization.manage',
  },
});
