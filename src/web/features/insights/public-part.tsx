import { lazy, Suspense } from 'react';

const Screen = lazy(async () => ({ default: (await import('./parts.ts')).PublicInsightsScreen }));

/** So small that no first page carries a list of what the screen needs. */
export function PublicPart() {
  return (
    <Suspense>
      <Screen />
    </Suspense>
  );
}
