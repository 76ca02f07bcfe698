import { Skeleton } from '../ui/skeleton.tsx';

/** While the code or the rights of a page are waited for. */
export function PendingPage() {
  return <Skeleton shape="row" titled />;
}
