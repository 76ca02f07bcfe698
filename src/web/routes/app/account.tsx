import { createFileRoute } from '@tanstack/react-router';
import { ProfileScreen } from '../../features/account/profile-screen.tsx';
import { PrivacyPart } from '../../features/privacy/privacy-part.tsx';
import { OwnPurchases } from '../../features/selling/own-purchases.tsx';

export const Route = createFileRoute('/app/account')({
  component: () => <ProfileScreen purchases={<OwnPurchases />} data={<PrivacyPart name="YourData" />} />,
  staticData: { name: 'account', title: 'app.account', layout: 'app', guards: ['is-signed-in'] },
});
