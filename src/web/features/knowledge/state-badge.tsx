import type { Knowledge, KnowledgeState } from '../../../contract/knowledge.ts';
import { t } from '../../messages/t.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import style from './knowledge.module.css';

const tones: Record<KnowledgeState, Tone> = {
  queued: 'neutral',
  fetching: 'accent',
  extracting: 'accent',
  embedding: 'accent',
  ready: 'good',
  failed: 'bad',
};

/** How far an item has come, in a word, with the count of its sources where there are several. */
export function StateBadge({ progress }: { progress: Knowledge['progress'] }) {
  const { state, done, total } = progress;
  const isCounted = total > 1 && tones[state] === 'accent';
  return (
    <span className={style['state']} aria-live="polite">
      <Badge tone={tones[state]}>{t(`knowledge.state.${state}`)}</Badge>
      {isCounted && <span className={style['faint']}>{t('knowledge.done', { done, total })}</span>}
    </span>
  );
}
