import { lazy, Suspense } from 'react';

const parts = () => import('./parts.ts');

const known = {
  EraseEndUser: lazy(async () => ({ default: (await parts()).EraseEndUser })),
  ErasureScreen: lazy(async () => ({ default: (await parts()).ErasureScreen })),
  OrganizationExport: lazy(async () => ({ default: (await parts()).OrganizationExport })),
  RetentionSection: lazy(async () => ({ default: (await parts()).RetentionSection })),
  YourData: lazy(async () => ({ default: (await parts()).YourData })),
};

/** A part of a page about what is known of people, once it is there; the page does not wait for it. */
export function PrivacyPart({ name }: { name: keyof typeof known }) {
  const Part = known[name];
  return (
    <Suspense>
      <Part />
    </Suspense>
  );
}
