import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Skeleton, type SkeletonShape } from './skeleton.tsx';

interface QueryViewProps<T> {
  /** Undefined while loading. */
  data: T | undefined;
  /** The text shown if it could not be loaded. */
  error: string | null;
  onRetry: () => void;
  shape?: SkeletonShape;
  /** Whether the title is loaded with it. */
  titled?: boolean;
  children: (data: T) => ReactNode;
}

/** Shows the loaded data, its placeholder, or an error. */
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
