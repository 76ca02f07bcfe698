import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../../../features/account/profile-screen.tsx';
import { YourData } from '../../../../features/privacy/your-data.tsx';
import { OwnPurchases } from '../../../../features/selling/own-purchases.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/account/profile')({
  component: () => <ProfileScreen purchases={<OwnPurchases />} data={<YourData />} />,
  staticData: { name: 'platform-orgId-account-profile', title: 'account.profile' },
});
