import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../messages/t.ts';
import { sessionState } from '../../session.ts';
import { useStore } from '../../store.ts';
import { buttonClass } from '../../ui/button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import style from './auth.module.css';

const steps = ['auth.stepCreate', 'auth.stepTeach', 'auth.stepShare'] as const;

/** What comes next, on one page, and the way there. */
export function OnboardingScreen() {
  const { user } = useStore(sessionState);
  return (
    <Stack gap="lg" align="flex-start">
      <PageHeader title={t('auth.welcomeName', { name: user?.name ?? '' })} lead={t('auth.welcomeLead')} />
      <ol className={style['steps']}>
        {steps.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      <Link to="/platform" className={buttonClass('primary')}>
        {t('auth.begin')}
      </Link>
    </Stack>
  );
}
