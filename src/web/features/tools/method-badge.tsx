import { Badge, type Tone } from '../../ui/badge.tsx';

const tones: Record<string, Tone> = {
  GET: 'good',
  HEAD: 'good',
  POST: 'accent',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'bad',
};

/** What kind of request an operation is; nothing for what is no request of HTTP. */
export function MethodBadge({ method }: { method: string }) {
  return method && <Badge tone={tones[method] ?? 'neutral'}>{method}</Badge>;
}
