import { Badge, type Tone } from '../../ui/badge.tsx';

const tones: Record<string, Tone> = {
  GET: 'good',
  HEAD: 'good',
  POST: 'accent',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'bad',
};

/** An operation's HTTP method; nothing if it isn't an HTTP request. */
export function MethodBadge({ method }: { method: string }) {
  return method && <Badge tone={tones[method] ?? 'neutral'}>{method}</Badge>;
}
