import { Button } from '@mantine/core';
import type { Storefront } from '../../../contract/storefront.ts';
import { t } from '../../messages/t.ts';
import { toast } from '../../toast.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { usePublish, useUnpublish } from './use-storefront.ts';

const tones = { draft: 'neutral', published: 'good', changed: 'warning' } as const satisfies Record<
  string,
  Tone
>;

function stateOf({ revision, publishedRevision }: Storefront): keyof typeof tones {
  if (publishedRevision === null) return 'draft';
  return publishedRevision === revision ? 'published' : 'changed';
}

export function StateBadge({ storefront }: { storefront: Storefront }) {
  const state = stateOf(storefront);
  return <Badge tone={tones[state]}>{t(`storefront.state.${state}`)}</Badge>;
}

interface PublishButtonProps {
  storefront: Storefront;
  /** There is something that was not saved. */
  isUnsaved?: boolean;
}

/** Nothing where everybody sees the draft already. */
export function PublishButton({ storefront, isUnsaved = false }: PublishButtonProps) {
  const publish = usePublish({ onDone: () => toast.success({ title: t('storefront.published') }) });
  const state = stateOf(storefront);
  if (state === 'published' && !isUnsaved) return null;
  return (
    <Button
      loading={publish.isPending}
      disabled={isUnsaved}
      title={isUnsaved ? t('storefront.saveFirst') : undefined}
      onClick={() => publish.mutate(storefront)}
    >
      {state === 'draft' ? t('storefront.publish') : t('storefront.publishChanges')}
    </Button>
  );
}

export function UnpublishButton({ storefront }: { storefront: Storefront }) {
  const unpublish = useUnpublish({ onDone: () => toast.success({ title: t('storefront.unpublished') }) });
  if (storefront.publishedRevision === null) return null;
  return (
    <Button variant="default" loading={unpublish.isPending} onClick={() => unpublish.mutate(storefront)}>
      {t('storefront.unpublish')}
    </Button>
  );
}
