import type { ToolCallState } from '../../../contract/tool.ts';
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

/** How far a call has come, in a word. */
export function CallState({ state }: { state: ToolCallState }) {
  return <Badge tone={tones[state]}>{t(`tools.state.${state}`)}</Badge>;
}
