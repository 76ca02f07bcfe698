import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../features/account/profile-screen.tsx';
import { YourData } from '../../features/privacy/your-data.tsx';
import { OwnPurchases } from '../../features/selling/own-purchases.tsx';

export const Route = createFileRoute('/app/account')({
  component: () => <ProfileScreen purchases={<OwnPurchases />} data={<YourData />} />,
  staticData: { name: 'account', title: 'app.account', layout: 'app', guards: ['is-auth'] },
});
