import { Suspense } from 'react';
import { later } from '../../ui/later.ts';

const parts = () => import('./parts.ts');

const known = {
  EraseEndUser: later(async () => (await parts()).EraseEndUser),
  ErasureScreen: later(async () => (await parts()).ErasureScreen),
  OrganizationExport: later(async () => (await parts()).OrganizationExport),
  RetentionSection: later(async () => (await parts()).RetentionSection),
  YourData: later(async () => (await parts()).YourData),
};

/** A part of a page about personal data, once it has loaded; the page doesn't wait for it. */
export function PrivacyPart({ name }: { name: keyof typeof known }) {
  const Part = known[name];
  return (
    <Suspense>
      <Part />
    </Suspense>
  );
}
