import { lazy, Suspense } from 'react';

const Screen = lazy(async () => ({ default: (await import('./parts.ts')).OrganizationInsightsScreen }));

/** As `PublicPart`. */
export function OrganizationPart({ period }: { period: string | undefined }) {
  return (
    <Suspense>
      <Screen period={period} />
    </Suspense>
  );
}
