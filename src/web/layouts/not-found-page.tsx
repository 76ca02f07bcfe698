import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { t } from '../messages/t.ts';
import { pageMissing } from '../routing/page-missing.ts';
import { buttonClass } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

export function NotFoundPage() {
  useEffect(() => {
    pageMissing.set(true);
    return () => pageMissing.set(false);
  }, []);
  return (
    <Notice
      bare
      level={1}
      icon={<IconMapQuestion size="1.25em" aria-hidden />}
      title={t('error.notFound')}
      action={
        <Link to="/" className={buttonClass('plain')}>
          {t('error.home')}
        </Link>
      }
    />
  );
}
