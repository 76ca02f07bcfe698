import { Suspense } from 'react';
import { later } from '../../ui/later.ts';

const Screen = later(async () => (await import('./parts.ts')).OrganizationInsightsScreen);

/** Like `PublicPart`. */
export function OrganizationPart({ period }: { period: string | undefined }) {
  return (
    <Suspense>
      <Screen period={period} />
    </Suspense>
  );
}
