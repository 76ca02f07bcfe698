import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { AccountsSection } from './accounts-section.tsx';
import { Appearance } from './appearance.tsx';
import { LocationSection } from './location-section.tsx';
import { ProfileForm } from './profile-form.tsx';
import { ReferralSection } from './referral-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SignInSection } from './sign-in-section.tsx';

interface ProfileScreenProps {
  /** The person's purchases. */
  purchases: ReactNode;
  /** What is known of them: exporting and erasing it. */
  data: ReactNode;
}

export function ProfileScreen({ purchases, data }: ProfileScreenProps) {
  const { user } = useStore(sessionState);
  return (
    <>
      <PageHeader title={t('account.profile')} lead={user?.email ?? undefined} />
      {user && (
        <Stack gap="lg" key={user.uid}>
          <ProfileForm user={user} />
          <SignInSection user={user} />
          {purchases}
          <AccountsSection />
          <LocationSection uid={user.uid} />
          <Appearance />
          <SessionsSection />
          {user.isMember && <ReferralSection />}
          {data}
        </Stack>
      )}
    </>
  );
}
