import type { KnowledgeState, ListedKnowledge } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

const tones: Record<KnowledgeState, Tone> = {
  queued: 'neutral',
  fetching: 'accent',
  extracting: 'accent',
  embedding: 'accent',
  ready: 'good',
  failed: 'bad',
};

/** An item's or a source's state, in a word. */
export function StateBadge({ state }: { state: KnowledgeState }) {
  return <Badge tone={tones[state]}>{t(`knowledge.state.${state}`)}</Badge>;
}

/** An item's state as it changes; screen readers announce the changes. */
export function LiveState({ item }: { item: ListedKnowledge }) {
  return (
    <span role="status">
      <StateBadge state={item.progress.state} />
    </span>
  );
}
