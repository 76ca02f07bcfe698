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

/** How far an item or a source has come, in a word. */
export function StateBadge({ state }: { state: KnowledgeState }) {
  return <Badge tone={tones[state]}>{t(`knowledge.state.${state}`)}</Badge>;
}

/** The state of an item as it changes; a screen reader hears the changes. */
export function LiveState({ item }: { item: ListedKnowledge }) {
  return (
    <span role="status">
      <StateBadge state={item.progress.state} />
    </span>
  );
}
