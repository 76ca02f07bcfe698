import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Skeleton, type SkeletonShape } from './skeleton.tsx';

interface QueryViewProps<T> {
  /** Undefined while it is being read. */
  data: T | undefined;
  /** What a person reads when it could not be read. */
  error: string | null;
  onRetry: () => void;
  shape?: SkeletonShape;
  /** Whether the title is read with it. */
  titled?: boolean;
  children: (data: T) => ReactNode;
}

/** Shows what was read, the place where it will be, or that it could not be read. */
export function QueryView<T>({
  data,
  error,
  onRetry,
  shape = 'row',
  titled = false,
  children,
}: QueryViewProps<T>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <ErrorState message={error} onRetry={onRetry} />;
  return <Skeleton shape={shape} titled={titled} />;
}
