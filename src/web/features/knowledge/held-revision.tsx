import { Button, Group } from '@mantine/core';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import style from './knowledge.module.css';
import { RevisionChanges } from './revision-changes.tsx';
import { useDecision, useRevision } from './use-revisions.ts';
import type { ItemKey } from './use-sources.ts';

interface HeldRevisionProps {
  item: ItemKey;
  number: number;
  mayWrite: boolean;
}

/** So much has disappeared that the agent keeps its current revision until somebody decides. */
export function HeldRevision({ item, number, mayWrite }: HeldRevisionProps) {
  const reason = useRevision(item, number).data?.pages[0]?.revision.reason;
  const apply = useDecision(item, 'apply', () => toast.success({ title: t('knowledge.applied') }));
  const discard = useDecision(item, 'discard', () => toast.success({ title: t('knowledge.discarded') }));
  const isBusy = apply.isPending || discard.isPending;
  return (
    <section className={style['heldCard']} aria-labelledby="held-revision">
      <h2 id="held-revision" className={style['sourceTitle']}>
        {t('knowledge.heldTitle')}
      </h2>
      <p>
        {reason} {t('knowledge.heldText')}
      </p>
      <RevisionChanges item={item} number={number} />
      {mayWrite ? (
        <Group gap="xs">
          <Button loading={apply.isPending} disabled={isBusy} onClick={() => apply.mutate(number)}>
            {t('knowledge.apply')}
          </Button>
          <Button
            variant="default"
            loading={discard.isPending}
            disabled={isBusy}
            onClick={() => discard.mutate(number)}
          >
            {t('knowledge.discard')}
          </Button>
        </Group>
      ) : (
        <p className={style['soft']}>{t('knowledge.mayNotDecide')}</p>
      )}
    </section>
  );
}
