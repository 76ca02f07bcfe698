import { createFileRoute } from '@tanstack/react-router';
import { AccountFrame } from '../../../../features/account/account-frame.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account')({
  component: AccountFrame,
  staticData: { name: 'platform-orgId-account' },
});
