import { useBlocker } from '@tanstack/react-router';
import { t } from './messages/t.ts';
import { ConfirmDialog } from './ui/confirm-dialog.tsx';

/** Asks before a page is left, or closed, on which something was changed and not saved. */
export function UnsavedGuard({ changed }: { changed: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: changed,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      action={t('unsaved.leave')}
      busy={false}
      onConfirm={() => proceed?.()}
      onClose={() => reset?.()}
    />
  );
}
