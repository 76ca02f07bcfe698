import { Skeleton } from '../ui/skeleton.tsx';

/** Shown while a page's code or permissions are loading. */
export function PendingPage() {
  return <Skeleton shape="row" titled />;
}
