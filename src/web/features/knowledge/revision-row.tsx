import { Button } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { Revision } from '../../../contract/revision.ts';
import { formatNumber } from '../../format.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Cell } from '../../ui/data-table.tsx';
import { RowOpener } from '../../ui/row-opener.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import style from './knowledge.module.css';
import { useDecision } from './use-revisions.ts';
import type { ItemKey } from './use-sources.ts';

const tones: Record<Revision['state'], Tone> = {
  building: 'accent',
  held: 'warning',
  active: 'good',
  retired: 'neutral',
  discarded: 'neutral',
  failed: 'bad',
};

interface RevisionRowProps {
  item: ItemKey;
  revision: Revision;
  mayWrite: boolean;
  opened: boolean;
  onToggle: () => void;
}

export function RevisionRow({ item, revision, mayWrite, opened, onToggle }: RevisionRowProps) {
  const { number, state, cause, reason, createdAt, canRestore } = revision;
  return (
    <tr>
      <Cell kind="main">
        <RowOpener
          title={t('knowledge.revisionNumber', { number })}
          detail={t(`knowledge.cause.${cause}`)}
          opened={opened}
          controls={`revision-${number}`}
          onToggle={onToggle}
        />
        {reason && <p className={state === 'failed' ? style['fault'] : style['detail']}>{reason}</p>}
      </Cell>
      <Cell>
        <Badge tone={tones[state]}>{t(`knowledge.revision.${state}`)}</Badge>
      </Cell>
      <Cell kind="faint">
        <Summary revision={revision} />
      </Cell>
      <Cell kind="faint">
        <TimeAgo at={createdAt} />
      </Cell>
      <Cell kind="actions">
        {mayWrite && canRestore && state === 'retired' && <Restore item={item} number={number} />}
      </Cell>
    </tr>
  );
}

/** `2 added, 1 changed`; zero counts are left out. */
function Summary({ revision }: { revision: Revision }) {
  const kinds = (['added', 'changed', 'removed', 'unchanged'] as const).filter((kind) => revision[kind] > 0);
  if (kinds.length === 0) return t('knowledge.nothing');
  return kinds.map((kind, index) => (
    <Fragment key={kind}>
      {index > 0 && ', '}
      <span className={style['noWrap']}>
        {t(`knowledge.count.${kind}`, { number: formatNumber(revision[kind]) })}
      </span>
    </Fragment>
  ));
}

function Restore({ item, number }: { item: ItemKey; number: number }) {
  const [asking, setAsking] = useState(false);
  const restore = useDecision(item, 'restore', () => {
    setAsking(false);
    toast.success({ title: t('knowledge.restored', { number }) });
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('knowledge.restoreNumber', { number })}
        onClick={() => setAsking(true)}
      >
        {t('knowledge.restore')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('knowledge.restoreNumber', { number })}
        text={t('knowledge.restoreText')}
        action={t('knowledge.restore')}
        busy={restore.isPending}
        onConfirm={() => restore.mutate(number)}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
