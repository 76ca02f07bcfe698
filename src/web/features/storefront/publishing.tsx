import { Button } from '@mantine/core';
import type { Storefront } from '../../../contract/storefront.ts';
import { t } from '../../messages/t.ts';
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

/** Reported where it changes, so that nothing covers the buttons beside it. */
export function StateBadge({ storefront, isSaved = false }: { storefront: Storefront; isSaved?: boolean }) {
  const state = stateOf(storefront);
  return (
    <span role="status">
      <Badge tone={tones[state]}>{t(`storefront.state.${state}`)}</Badge> {isSaved && t('ui.saved')}
    </span>
  );
}

interface PublishButtonProps {
  storefront: Storefront;
  /** There are unsaved changes. */
  isUnsaved?: boolean;
}

/** Nothing if the draft is already public. */
export function PublishButton({ storefront, isUnsaved = false }: PublishButtonProps) {
  const publish = usePublish({});
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
  const unpublish = useUnpublish({});
  if (storefront.publishedRevision === null) return null;
  return (
    <Button variant="default" loading={unpublish.isPending} onClick={() => unpublish.mutate(storefront)}>
      {t('storefront.unpublish')}
    </Button>
  );
}
