import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FirstSteps } from '../../parts/first-steps.tsx';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session/session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** The next steps, on one page. */
export function OnboardingScreen() {
  const { user } = useStore(sessionState);
  return (
    <Stack gap="lg">
      <PageHeader title={t('auth.welcomeName', { name: user?.name ?? '' })} lead={t('auth.welcomeLead')} />
      <FirstSteps />
      <div>
        <Link to="/platform" className={buttonClass('primary')}>
          {t('auth.begin')}
        </Link>
      </div>
    </Stack>
  );
}
