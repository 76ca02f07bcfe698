import { useMatches } from '@tanstack/react-router';
import { t } from '../messages/t.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** A page whose contents do not exist yet: says what it is for, from the data of its route. */
export function LaterPage() {
  const route = useMatches({ select: (matches) => matches.at(-1)?.staticData });
  if (!route?.title || !route.purpose) return null;
  return (
    <>
      <PageHeader title={t(route.title)} />
      <Notice title={t('later.title')} text={t(route.purpose)} />
    </>
  );
}
