import { Suspense } from 'react';
import { later } from '../../ui/later.ts';

const Screen = later(async () => (await import('./parts.ts')).PublicInsightsScreen);

/** Tiny, so that no first page carries a list of what the screen needs. */
export function PublicPart() {
  return (
    <Suspense>
      <Screen />
    </Suspense>
  );
}
