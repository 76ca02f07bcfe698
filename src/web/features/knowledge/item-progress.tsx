import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { HowFar } from '../../ui/how-far.tsx';
import { titleOf } from './item-title.ts';
import style from './knowledge.module.css';
import { isUnderWay } from './use-live-knowledge.ts';

/** The number of an item's sources that have been read; with a bar while it is being read. */
export function ItemProgress({ item }: { item: ListedKnowledge }) {
  const { state, done, failed, total } = item.progress;
  const count = { done: formatNumber(done), total: formatNumber(total) };
  return (
    <span className={style['progress']}>
      <span>
        {t('knowledge.done', count)}
        {failed > 0 && (
          <span className={style['failed']}>
            {t('knowledge.failedCount#', { count: failed, number: formatNumber(failed) })}
          </span>
        )}
      </span>
      {isUnderWay(state) && (
        <HowFar
          label={t('knowledge.progressOf', { name: titleOf(item) })}
          value={done + failed}
          max={total}
        />
      )}
    </span>
  );
}
