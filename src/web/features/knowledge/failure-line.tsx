import type { ListedKnowledge } from '../../../contract/knowledge.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { TextButton } from '../../ui/text-button.tsx';
import style from './knowledge.module.css';
import { hasFailed, useItemActs } from './use-item-acts.ts';

interface FailureLineProps {
  item: ListedKnowledge;
  agentId: string;
  mayWrite: boolean;
}

/** What of an item could not be read and why, with a retry; nothing if all went well. */
export function FailureLine({ item, agentId, mayWrite }: FailureLineProps) {
  const { retry } = useItemActs(agentId, item);
  if (!hasFailed(item)) return null;
  const { error, failed, state } = item.progress;
  const count = { count: failed, number: formatNumber(failed) };
  return (
    <p className={style['fault']}>
      {state === 'failed' && error ? error : t('knowledge.notRead#', count)}{' '}
      {mayWrite && (
        <TextButton text={t('ui.retry')} disabled={retry.isPending} onClick={() => retry.mutate()} />
      )}
    </p>
  );
}
