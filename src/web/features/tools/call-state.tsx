import type { ToolCallEntry, ToolCallState } from '../../../contract/tool.ts';
import { t } from '../../messages/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

const tones: Record<ToolCallState, Tone> = {
  waiting: 'warning',
  allowed: 'accent',
  running: 'accent',
  done: 'good',
  failed: 'bad',
  denied: 'neutral',
  repeated: 'neutral',
  refused: 'bad',
  rehearsed: 'neutral',
};

/** A call's state, in a word. */
export function CallState({
  state,
  result,
}: { state: ToolCallState } & Partial<Pick<ToolCallEntry, 'result'>>) {
  const isRecorded = state === 'rehearsed' && typeof result === 'string';
  return <Badge tone={tones[state]}>{t(`tools.state.${isRecorded ? 'recorded' : state}`)}</Badge>;
}
