import { formatExactTime, formatRelativeTime } from '../format.ts';

/** A time relative to now, with the exact time on hover. */
export function TimeAgo({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatRelativeTime(at)}
    </time>
  );
}
